"""The report of a game in a real browser: stepped through by keys, buttons, moves and graph."""

import re

import pytest
from tests.waiting import PATIENCE_S
from tests.web.barriers import expect_no_barrier

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
expect.set_options(timeout=1000 * PATIENCE_S)
pytestmark = [pytest.mark.browser, pytest.mark.slow]

GAME = """[White "Anna </script><b>"]
[Black "Ben"]

{ A lesson </script>. } 1. e4 { [%clk 1:00:05] } e5 { [%clk 0:59:59] } 2. Bc4 Nc6 { [%eval 0.2] solid } 3. Qh5 Nf6
4. Qxf7# { [%clk 0:58:00] } 1-0
"""


@pytest.fixture
def report(visit, served):
    """Opens the report of a game that the page has annotated."""
    def go(**settings):
        page = visit("#view=games", **settings)
        page.fill("textarea", GAME)
        page.get_by_role("button", name="Read the games").click()
        page.get_by_role("button", name="Annotate").click()
        link = page.get_by_role("link", name="Open the report")
        link.wait_for()
        page.goto(f"http://{served.host}/" + link.get_attribute("href"))
        expect(page.locator(".player")).to_be_visible()
        return page

    return go


def test_a_report_is_stepped_through(report):
    page = report()
    words, clocks = page.locator(".words"), page.locator(".player-name .clock")
    expect(words).to_contain_text("A lesson </script>.")
    expect(clocks).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(words).to_contain_text("1.e4")
    expect(clocks).to_have_text(["1:00:05"])
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(words).to_contain_text("2…Nc6")
    expect(words.locator(".own")).to_have_text("solid")
    expect(clocks).to_have_text(["59:59", "1:00:05"])
    expect(page.locator(".moves [aria-current]")).to_have_text(re.compile("^Nc6"))
    page.keyboard.press("ArrowLeft")
    expect(words).to_contain_text("2.Bc4")
    box = page.locator(".chart").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 6 / 7, box["y"] + 20)            # over the dot of the sixth of seven
    expect(words.locator("h4 .blunder")).to_have_text("3…Nf6??")
    expect(words).to_contain_text("Checkmate is now unavoidable")
    expect(page.locator(".player .arrow.best")).to_have_count(1)                # the mate that it allows
    page.get_by_role("button", name="To the end").click()
    expect(words).to_contain_text("4.Qxf7#")
    expect(page.locator(".player .arrow")).to_have_count(0)
    page.keyboard.press("f")
    expect(page.locator(".player-name").first).to_contain_text("Anna </script><b>")
    page.locator(".moves button").first.focus()
    page.keyboard.press("Enter")
    expect(words).to_contain_text("1.e4")


@pytest.mark.parametrize("width, theme", [(1280, "dark"), (360, "light")])
def test_everybody_can_read_it(report, width, theme):
    page = report(viewport={"width": width, "height": 780}, color_scheme=theme)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".words")).to_contain_text("1.e4")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    sizes = page.evaluate("[...document.querySelectorAll('.axis span, .chart .phase, .moves small, .words p')]"
                          ".map((one) => parseFloat(getComputedStyle(one).fontSize))")
    assert len(sizes) > 7 and min(sizes) >= 11
    expect_no_barrier(page, "report")
