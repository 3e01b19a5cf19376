"""People who do not wait for an answer: what comes too late is not shown in the wrong place."""

import re

import pytest
from tests.waiting import PATIENCE_S

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
expect.set_options(timeout=1000 * PATIENCE_S)
pytestmark = [pytest.mark.browser, pytest.mark.slow]

QUIET = "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1PB1N2/2P2PPP/R1BQK2R w KQ - 1 10"
HERE = f"#fen={QUIET.replace(' ', '+')}&limit=nodes+5000"
TWO_GAMES = ('[White "Anna"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *\n\n'
             '[White "Clara"]\n\n1. d4 d5 2. c4 *\n')


def play(page, move):
    page.fill("#typed-text", move)
    page.press("#typed-text", "Enter")


def test_another_question_before_the_answer(visit):
    page = visit(HERE + "&view=why")
    page.get_by_role("button", name="Which technique decides?").click()        # some fifty searches
    page.select_option("#view-why select", label="Bg5?")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator(".answer h2")).to_have_text(["Why not 10.Bg5?"])
    expect(page.locator("#view-why button:has-text('Stop')")).to_be_hidden()


def test_a_move_before_the_answer(visit):
    page = visit(HERE + "&view=why")
    page.get_by_role("button", name="Which technique decides?").click()
    expect(page.locator("#view-why progress")).to_be_visible()
    play(page, "O-O")
    expect(page.locator("#moves button")).to_have_text(["O-O"])
    expect(page.locator("#view-why progress")).to_have_count(0)
    page.get_by_role("button", name="Why this move?").click()
    expect(page.locator(".answer h2").first).to_have_text(re.compile(r"^Why 10\.\.\."))


def test_a_move_before_the_tree_is_there(visit):
    page = visit(HERE + "&view=tree&nodes=3000000")
    page.get_by_role("button", name="Record a search").click()
    page.get_by_role("button", name="Stop", exact=True).wait_for()
    play(page, "O-O")
    expect(page.get_by_role("button", name="Record a search")).to_be_visible()
    expect(page.locator(".icicle")).to_be_hidden()
    page.select_option("#view-tree select >> nth=0", "20000")
    page.get_by_role("button", name="Record a search").click()
    page.wait_for_selector(".crumbs li")
    expect(page.locator(".notice")).to_have_count(0)


def test_another_game_before_the_first_is_judged(visit):
    page = visit("#view=games")
    page.fill("textarea", TWO_GAMES)
    page.get_by_role("button", name="Read the games").click()
    page.select_option("#view-games select", label="thoroughly")
    page.get_by_role("button", name="Annotate").click()
    page.locator("#view-games progress").wait_for()
    page.get_by_role("button", name=re.compile("^Clara")).click()
    expect(page.locator("#view-games h2")).to_contain_text("Clara")
    page.get_by_role("button", name="Annotate").click()
    expect(page.locator(".game-graph")).to_have_attribute("aria-valuemax", "3")
    expect(page.locator(".notice")).to_have_count(0)
