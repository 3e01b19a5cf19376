"""The page in a real browser: Debian's Chromium, driven by playwright."""

import importlib.util
import os
import re
import shutil

import pytest
from tests.web.waiting import eventually

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
expect.set_options(timeout=30000)

QUIET = "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1PB1N2/2P2PPP/R1BQK2R w KQ - 1 10"
VIEWS = ("Analysis", "Why?", "Moves", "Tree", "Techniques", "Network", "Games", "Play", "Settings")
CHROMIUM = os.environ.get("BARRELEYE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here"),
]


@pytest.fixture(scope="module")
def chromium():
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, served):
    """Opens the page; whatever it complains of, or asks of another host, fails the test."""
    contexts, complaints = [], []

    def go(state="", **settings):
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 860}, **settings})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("request", lambda asked: complaints.append(asked.url) if served.host not in asked.url else None)
        page.goto(served.address + state)
        page.wait_for_selector("cg-board piece")
        page.wait_for_selector("[role=tab]")
        return page

    yield go
    for context in contexts:
        context.close()
    assert complaints == []


def played(page):
    return page.locator("#moves button").all_inner_texts()


def click_square(page, square, white=True):
    box = page.locator("cg-board").bounding_box()
    file, rank = ord(square[0]) - 97, int(square[1]) - 1
    x, y = (file, 7 - rank) if white else (7 - file, rank)
    page.mouse.click(box["x"] + (x + 0.5) * box["width"] / 8, box["y"] + (y + 0.5) * box["height"] / 8)


def test_moves_by_mouse_by_keyboard_and_typed(visit):
    page = visit()
    click_square(page, "e2")
    click_square(page, "e4")
    page.locator("#moves button").nth(0).wait_for()
    page.fill("#typed-text", "e5")
    page.press("#typed-text", "Enter")
    page.locator("#moves button").nth(1).wait_for()
    page.focus("#board")                # the cursor begins at e2; g1 is two files to the right and one rank down
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter", "ArrowLeft", "ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    page.locator("#moves button").nth(2).wait_for()
    assert played(page) == ["e4", "e5", "Nf3"] and "King's Knight" in page.inner_text("#opening")
    page.fill("#typed-text", "Ke4")
    page.press("#typed-text", "Enter")
    assert "'Ke4' is not a legal move here." in page.inner_text(".notice")
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#moves button[aria-current]:has-text('e5')")
    page.keyboard.press("f")
    assert page.locator(".cg-wrap.orientation-black").count() == 1


@pytest.mark.slow
def test_a_pawn_becomes_what_one_chooses(visit):
    page = visit("#fen=8/4P1k1/8/8/8/8/8/K7+w+-+-+0+1")
    click_square(page, "e7")
    click_square(page, "e8")
    page.get_by_role("button", name="knight").click()
    page.locator("#moves button").first.wait_for()
    assert played(page) == ["e8=N+"]


@pytest.mark.slow
def test_lines_arrive_and_play_themselves(visit):
    page = visit(f"#fen={QUIET.replace(' ', '+')}&limit=nodes+60000&lines=2")
    page.wait_for_selector(".lines li:nth-child(2) .san button")
    page.wait_for_selector("button:has-text('Analyse')")
    assert page.locator(".lines li").count() == 2 and page.locator("g.cg-arrow, .cg-shapes line").count() >= 2
    page.locator(".lines li").first.locator(".san button").nth(2).hover()
    page.wait_for_selector("#hover .mini image")
    page.locator(".lines li").first.locator(".san button").nth(1).click()
    page.wait_for_selector("#moves button:nth-child(1)")
    assert len(played(page)) == 2


@pytest.mark.slow
def test_a_reload_shows_the_same(visit):
    page = visit()
    page.fill("#typed-text", "d4")
    page.press("#typed-text", "Enter")
    page.wait_for_selector("#moves button:has-text('d4')")
    page.get_by_role("tab", name="Techniques").click()
    page.locator("label:has-text('Null Move') input").first.uncheck()
    address = page.url
    assert "moves=d2d4" in address and "view=techniques" in address and "off=Null+Move" in address
    page.reload()
    page.wait_for_selector("#moves button:has-text('d4')")
    assert page.get_by_role("tab", selected=True).inner_text() == "Techniques"
    assert not page.locator("label:has-text('Null Move') input").first.is_checked()
    assert page.url == address


@pytest.mark.slow
def test_a_switch_changes_the_counters(visit):
    page = visit(f"#fen={QUIET.replace(' ', '+')}&limit=nodes+30000&view=techniques")
    row = page.locator("tr", has=page.locator("label:has-text('Null Move')"))
    tried = row.locator("td.number").first
    expect(tried).to_have_text(re.compile("[1-9]"))
    row.locator("input").uncheck()
    expect(tried).not_to_have_text(re.compile("[0-9]"))


@pytest.mark.slow
def test_the_tree_is_recorded_zoomed_and_told(visit):
    page = visit(f"#fen={QUIET.replace(' ', '+')}&view=tree&nodes=20000")
    page.get_by_role("button", name="Record a search").click()
    page.wait_for_selector(".icicle canvas[style*=height]")
    page.wait_for_selector(".crumbs button:has-text('the whole search')")
    page.focus(".icicle canvas")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(".visit h2:has-text('the root')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".crumbs li:nth-child(2)")
    assert "visits=" in page.url and "node=" in page.url
    page.get_by_text("The same as a table").click()
    page.locator(".treegrid tbody tr").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".treegrid tr[aria-level='2']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".visit .said")
    address = page.url
    page.reload()                       # a link shows the identical tree
    page.wait_for_selector(".crumbs li:nth-child(2)", timeout=30000)
    assert page.url == address and "another build" not in page.inner_text("#view-tree")


@pytest.mark.slow
def test_a_stranger_finds_why_not(visit):
    page = visit(f"#fen={QUIET.replace(' ', '+')}&limit=nodes+20000&lines=3")
    page.wait_for_selector("button:has-text('Analyse')")
    page.get_by_role("button", name="Why not?").first.click()
    page.wait_for_selector(".answer h2", timeout=60000)
    assert page.inner_text(".answer h2").startswith("Why not")
    assert page.locator(".answer .said").count() >= 1


@pytest.mark.slow
def test_the_network_labels_the_board(visit):
    page = visit(f"#fen={QUIET.replace(' ', '+')}&view=network")
    page.wait_for_selector("#labels span", timeout=30000)
    assert page.locator("#labels span").count() == 28
    click_square(page, "f3")
    page.wait_for_selector("cg-board square[class*=heat]", timeout=30000)


@pytest.mark.slow
def test_a_game_is_brought_and_walked(visit):
    page = visit("#view=games")
    page.fill("textarea", '[White "Anna <b>"]\n[Black "Ben"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0')
    page.get_by_role("button", name="Read the games").click()
    page.wait_for_selector("#moves li:nth-child(7)")
    assert "Anna <b>" in page.inner_text("#view-games h2")
    page.get_by_role("button", name="Annotate").click()
    page.wait_for_selector(".game-graph circle.blunder", timeout=60000)
    page.get_by_role("link", name="Open the report").wait_for()


@pytest.mark.slow
def test_a_game_against_it(visit):
    page = visit("#view=play")
    page.select_option("#view-play select >> nth=0", "newcomer")
    page.get_by_role("button", name="Start", exact=True).click()
    click_square(page, "e2")
    click_square(page, "e4")
    page.locator("#moves button").nth(1).wait_for(timeout=20000)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#moves button")).to_have_count(0)
    assert "Your move." in page.inner_text("#view-play")


@pytest.mark.slow
def test_a_closed_tab_ends_its_engine(visit, served):
    page = visit("#limit=")
    page.wait_for_selector(".lines .san button")
    open_tabs = len(served.tabs)
    page.close()
    eventually(lambda: len(served.tabs) < open_tabs)
    assert len(served.tabs) < open_tabs


@pytest.mark.slow
@pytest.mark.parametrize("width, theme", [(1280, "light"), (1280, "dark"), (360, "light")])
def test_nothing_overflows_and_everybody_can_use_it(visit, width, theme):
    page = visit(f"#fen={QUIET.replace(' ', '+')}&limit=nodes+20000", viewport={"width": width, "height": 800},
                 color_scheme=theme)
    axe = None
    if importlib.util.find_spec("axe_playwright_python"):
        from axe_playwright_python.sync_playwright import Axe

        axe = Axe()
    for view in VIEWS:
        page.get_by_role("tab", name=view).click()
        if view == "Moves":
            page.wait_for_selector(".heat", timeout=30000)
        if view == "Tree":
            page.select_option("#view-tree select >> nth=0", "20000")
            page.get_by_role("button", name="Record a search").click()
            page.wait_for_selector(".crumbs li", timeout=30000)
        page.wait_for_timeout(150)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, view
        if axe is not None:
            found = [one for one in axe.run(page).response["violations"] if one["impact"] in ("serious", "critical")]
            assert [(one["id"], [node["target"] for node in one["nodes"]][:3]) for one in found] == [], view
