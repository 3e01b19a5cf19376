"""Nobody gets in without the token, under another name, or from somebody else's page."""

import http.client

import pytest


def fetch(served, path="/", method="GET", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    connection.putrequest(method, path, skip_host=True)
    for name, value in {"Host": served.host, "Cookie": served.cookie, **headers}.items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body.decode("utf-8", "replace")


def test_the_token_becomes_a_cookie(served):
    answer, _ = fetch(served, "/?token=" + served.cookie.partition("=")[2], Cookie=None)
    assert answer.status == 303 and answer.getheader("Location") == "/"
    cookie = answer.getheader("Set-Cookie")
    assert cookie.startswith(served.cookie) and "HttpOnly" in cookie and "SameSite=strict" in cookie
    answer, body = fetch(served)
    assert answer.status == 200 and "<title>Barreleye" in body


def test_every_answer_says_what_a_page_may_do(served):
    for path in ("/", "/static/js/main.js", "/palette.css", "/nothing", "/pieces/wk.svg"):
        answer, _ = fetch(served, path)
        assert answer.getheader("Content-Security-Policy").startswith("default-src 'self';")
        assert answer.getheader("X-Content-Type-Options") == "nosniff"


@pytest.mark.parametrize("path", ["/", "/static/js/main.js", "/palette.css", "/?token=wrong", "/?token=%ff"])
@pytest.mark.parametrize("cookie", [None, "", "barreleye-{port}=wrong", "other=a-token-for-tests", "barreleye-{port}"])
def test_without_the_token_there_is_nothing(served, path, cookie):
    answer, body = fetch(served, path, Cookie=cookie and cookie.format(port=served.port))
    assert answer.status == 403
    assert body == "Open the whole address that barreleye web has printed, with the token in it.\n"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1",
                                  "localhost.evil.example:{port}", "10.0.0.1:{port}", "[::1", "", "127.0.0.1:x"])
def test_other_names_get_nothing(served, host):
    answer, body = fetch(served, Host=host.format(port=served.port))
    assert answer.status in (400, 403) and "<title>" not in body


@pytest.mark.parametrize("host", ["localhost:{port}", "127.0.0.1:{port}", "[::1]:{port}"])
def test_our_own_names_are_known(served, host):
    assert fetch(served, Host=host.format(port=served.port))[0].status == 200


@pytest.mark.parametrize("headers", [
    {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": ""}, {"Cookie": "none=1"},
    {"Origin": "https://127.0.0.1:{port}"}, {"Origin": "http://127.0.0.1:1"}])
def test_other_pages_get_no_websocket(served, headers):
    from websockets.exceptions import InvalidStatus

    given = {name: value.format(port=served.port) for name, value in headers.items()}
    with pytest.raises(InvalidStatus) as refused, served.tab(**given):
        pass
    assert refused.value.response.status_code == 403


def test_a_post_needs_our_origin(served):
    assert fetch(served, "/", "POST")[0].status == 403
    assert fetch(served, "/", "POST", Origin="http://evil.example")[0].status == 403
    assert fetch(served, "/", "POST", Origin=f"http://{served.host}")[0].status == 405


def test_files_outside_are_not_served(served):
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/js/../../guard.py", "/pieces/../app.py",
                 "/pieces/xx.svg"):
        assert fetch(served, path)[0].status == 404, path
