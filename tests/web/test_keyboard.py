"""Everything on the page without a mouse."""

import re

import pytest
from tests.waiting import PATIENCE_S

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
expect.set_options(timeout=1000 * PATIENCE_S)
pytestmark = [pytest.mark.browser, pytest.mark.slow]

QUIET = "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1PB1N2/2P2PPP/R1BQK2R w KQ - 1 10"
WANTED = """() => [...document.querySelectorAll("button, input, select, textarea, a[href], summary, [tabindex='0']")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled
    && !one.closest("[role=tablist], [role=treegrid]"))     // in which the arrow keys walk
  .map((one) => `${one.dataset.number ??= String(window.last = (window.last ?? 0) + 1)} ${one.outerHTML.slice(0, 90)}`)
"""
HERE = "() => document.activeElement.dataset.number ?? ''"


def go_to(page, view):
    """A view by Tab and the arrow keys alone."""
    page.locator("[role=tab][aria-selected=true]").focus()
    while page.locator("[role=tab][aria-selected=true]").inner_text() != view:
        page.keyboard.press("ArrowRight")


def press_on(page, locator, key="Enter"):
    """What has been reached is used; that it can be reached is another test."""
    locator.focus()
    page.keyboard.press(key)


def test_tab_reaches_all_that_can_be_used(visit):
    page = visit(f"#fen={QUIET.replace(' ', '+')}&moves=e1g1&limit=nodes+5000")
    shown = {"Analysis": ".lines .san", "Why?": "option", "Moves": ".heat", "Techniques": "td.number",
             "Network": "#labels span", "Games": "textarea", "Play": "option", "Settings": "option"}
    for view, there in shown.items():
        go_to(page, view)
        page.locator(f"#views > :not([hidden]) {there}, #labels span").first.wait_for(state="attached")
        if view == "Analysis":
            page.wait_for_selector(".main:has-text('Analyse')")
        wanted = {text.split(" ")[0]: text for text in page.evaluate(WANTED)}
        reached = set()
        page.evaluate("document.activeElement.blur()")
        page.locator(".skip").focus()
        for _ in range(2 * len(wanted)):
            reached.add(page.evaluate(HERE))
            page.keyboard.press("Tab")
        missed = [text for number, text in wanted.items() if number not in reached]
        assert len(wanted) > 8 and missed == [], view


def test_asking_playing_and_looking_by_keys(visit):
    page = visit(f"#fen={QUIET.replace(' ', '+')}&limit=nodes+5000&nodes=20000")
    go_to(page, "Why?")
    press_on(page, page.get_by_role("button", name="What is the threat?"))
    expect(page.locator(".answer h2").first).to_have_text("What is the threat?")
    go_to(page, "Moves")
    press_on(page, page.locator(".heat button").nth(3))
    expect(page.locator(".answer h2").first).to_have_text(re.compile("^Why"))
    go_to(page, "Tree")
    press_on(page, page.get_by_role("button", name="Record a search"))
    page.wait_for_selector(".crumbs li")
    page.locator(".icicle canvas").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector(".crumbs li:nth-child(2)")
    page.keyboard.press("Backspace")
    expect(page.locator(".crumbs li")).to_have_count(1)
    go_to(page, "Techniques")
    press_on(page, page.locator("label:has-text('Null Move') input").first, " ")
    expect(page).to_have_url(re.compile(re.escape("off=Null+Move")))
    go_to(page, "Network")
    page.wait_for_selector("#labels span")
    page.locator("#board").focus()                  # the cursor is on e2; f3 is a file to the right and a rank up
    for key in ("ArrowRight", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector("cg-board square[class*=heat]")
    go_to(page, "Play")
    press_on(page, page.get_by_role("button", name="Start", exact=True))
    expect(page.locator("#view-play")).to_contain_text("Your move.")
    page.keyboard.press("Escape")
    page.locator("h1").evaluate("document.activeElement.blur()")
    page.keyboard.press("/")
    page.keyboard.type("O-O")
    page.keyboard.press("Enter")
    page.locator("#moves button").nth(1).wait_for()
    press_on(page, page.get_by_role("button", name="Take back"))
    expect(page.locator("#moves button")).to_have_count(0)


def test_a_game_by_keys(visit):
    page = visit("#view=games")
    page.locator("textarea").focus()
    page.keyboard.insert_text("1. e4 { [%clk 0:01:00] } e5 { [%clk 0:00:59] a reply } 2. Qh5 Ke7 3. Qxe5# 1-0")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#moves li:nth-child(5)")
    press_on(page, page.get_by_role("button", name="Annotate"))
    page.locator(".game-graph").wait_for()
    page.locator(".game-graph").focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#view-games")).to_contain_text("White's clock 1:00 · Black's clock 0:59")
    expect(page.locator("#view-games .said")).to_contain_text("a reply")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#view-games .said")).to_contain_text("2…Ke7??")
