"""The page in a real browser: Debian's Chromium, driven by playwright."""

import re

import pytest
from tests.waiting import PATIENCE_S, eventually
from tests.web.barriers import expect_no_barrier

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
expect.set_options(timeout=1000 * PATIENCE_S)

QUIET = "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1PB1N2/2P2PPP/R1BQK2R w KQ - 1 10"
VIEWS = {"Analysis": ".lines .san", "Why?": ".answer .said", "Moves": ".heat", "Tree": ".crumbs li",
         "Techniques": "td.number", "Network": "#labels span", "Games": ".game-graph", "Play": ".clock",
         "Settings": "select"}                                                          # and what is there
pytestmark = pytest.mark.browser


def expect_played(page, *moves):
    expect(page.locator("#moves button")).to_have_text(list(moves))


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
    expect_played(page, "e4", "e5", "Nf3")
    expect(page.locator("#opening")).to_contain_text("King's Knight")
    page.fill("#typed-text", "Ke4")
    page.press("#typed-text", "Enter")
    expect(page.locator(".notice")).to_contain_text("'Ke4' is not a legal move here.")
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#moves button[aria-current]:has-text('e5')")
    page.keyboard.press("f")
    expect(page.locator(".cg-wrap.orientation-black")).to_have_count(1)


@pytest.mark.slow
def test_a_pawn_becomes_what_one_chooses(visit):
    page = visit("#fen=8/4P1k1/8/8/8/8/8/K7+w+-+-+0+1")
    click_square(page, "e7")
    click_square(page, "e8")
    page.get_by_role("button", name="knight").click()
    expect_played(page, "e8=N+")


@pytest.mark.slow
def test_lines_arrive_and_play_themselves(visit):
    page = visit(f"#fen={QUIET.replace(' ', '+')}&limit=depth+12&lines=2")
    page.wait_for_selector(".lines li:nth-child(2) .san button")
    page.wait_for_selector("button:has-text('Analyse')")
    expect(page.locator(".lines li")).to_have_count(2)
    expect(page.locator(".cg-shapes line")).to_have_count(2)
    page.locator(".lines li").first.locator(".san button").nth(2).hover()
    page.wait_for_selector("#hover .mini image")
    page.locator(".lines li").first.locator(".san button").nth(1).click()
    expect(page.locator("#moves button")).to_have_count(2)


@pytest.mark.slow
def test_a_reload_shows_the_same(visit):
    page = visit()
    page.fill("#typed-text", "d4")
    page.press("#typed-text", "Enter")
    page.wait_for_selector("#moves button:has-text('d4')")
    page.get_by_role("tab", name="Techniques").click()
    page.locator("label:has-text('Null Move') input").first.uncheck()
    for part in ("moves=d2d4", "view=techniques", re.escape("off=Null+Move")):
        expect(page).to_have_url(re.compile(part))
    address = page.url
    page.reload()
    expect_played(page, "d4")
    expect(page.get_by_role("tab", selected=True)).to_have_text("Techniques")
    expect(page.locator("label:has-text('Null Move') input").first).not_to_be_checked()
    expect(page).to_have_url(address)


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
    expect(page.locator(".cg-shapes line")).to_have_count(1)        # the move of this search, not those of the analysis
    page.focus(".icicle canvas")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(".visit h2:has-text('the root')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".crumbs li:nth-child(2)")
    expect(page).to_have_url(re.compile("visits=.*node=|node=.*visits="))
    page.get_by_text("The same as a table").click()
    page.locator(".treegrid tbody tr").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".treegrid tr[aria-level='2']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".visit .said")
    address = page.url
    page.reload()                       # a link shows the identical tree
    page.wait_for_selector(".crumbs li:nth-child(2)")
    expect(page).to_have_url(address)
    expect(page.locator("#view-tree")).not_to_contain_text("another build")


@pytest.mark.slow
def test_a_stranger_finds_why_not(visit):
    page = visit(f"#fen={QUIET.replace(' ', '+')}&limit=nodes+20000&lines=3")
    page.wait_for_selector("button:has-text('Analyse')")
    page.get_by_role("button", name="Why not?").first.click()
    expect(page.locator(".answer h2").first).to_have_text(re.compile("^Why not"))
    expect(page.locator(".answer .said").first).to_have_text(re.compile(r"\w"))


@pytest.mark.slow
def test_a_stranger_asks_about_a_move_of_his_own(visit):
    page = visit("#limit=nodes+20000")
    page.fill("#typed-text", "g4")
    page.press("#typed-text", "Enter")
    page.get_by_role("button", name="Why not g4?").click()
    expect(page.get_by_role("tab", selected=True)).to_have_text("Why?")
    expect(page.locator(".answer h2").first).to_have_text("Why not 1.g4?")
    expect(page.locator("#status")).to_have_text("White to move.")                  # it is about the position before
    page.get_by_role("tab", name="Play").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.fill("#typed-text", "g4")
    page.press("#typed-text", "Enter")
    page.locator("#moves button").nth(1).wait_for()
    expect(page.locator("#why-last")).to_be_hidden()                                # no help while a game is on


@pytest.mark.slow
def test_the_network_labels_the_board(visit):
    page = visit(f"#fen={QUIET.replace(' ', '+')}&view=network")
    expect(page.locator("#labels span")).to_have_count(28)
    click_square(page, "f3")
    page.wait_for_selector("cg-board square[class*=heat]")


@pytest.mark.slow
def test_a_game_is_brought_and_walked(visit):
    page = visit("#view=games")
    page.fill("textarea", '[White "Anna <b>"]\n[Black "Ben"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0')
    page.get_by_role("button", name="Read the games").click()
    page.wait_for_selector("#moves li:nth-child(7)")
    expect(page.locator("#view-games h2")).to_contain_text("Anna <b>")
    page.get_by_role("button", name="Annotate").click()
    page.wait_for_selector(".game-graph circle.blunder")
    page.get_by_role("link", name="Open the report").wait_for()


@pytest.mark.slow
def test_a_game_against_it(visit):
    page = visit("#view=play")
    page.select_option("#view-play select >> nth=0", "newcomer")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#view-play")).to_contain_text("Your move.")
    click_square(page, "e2")
    click_square(page, "e4")
    page.locator("#moves button").nth(1).wait_for()
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#moves button")).to_have_count(0)
    expect(page.locator("#view-play")).to_contain_text("Your move.")


@pytest.mark.slow
def test_a_closed_tab_ends_its_engine(visit, served):
    page = visit("#limit=")
    page.wait_for_selector(".lines .san button")
    open_tabs = len(served.tabs)
    page.close()
    assert eventually(lambda: len(served.tabs) < open_tabs)


@pytest.mark.slow
def test_four_tabs_at_once_and_a_fifth_that_waits(visit, served):
    eventually(lambda: not served.tabs)
    pages = [visit("#limit=") for _ in range(4)]
    for page in pages:
        page.locator(".lines .san button").first.wait_for()
    fifth = pages[0].context.new_page()
    fifth.goto(served.address)
    expect(fifth.locator("#connection")).to_contain_text("Four tabs are open already")
    pages[1].close()
    fifth.locator(".lines .san button").first.wait_for()
    expect(fifth.locator("#connection")).to_be_empty()
    expect(pages[2].locator(".main:has-text('Stop')")).to_have_count(1)            # and the others think on


@pytest.mark.slow
@pytest.mark.parametrize("width, theme", [(1280, "light"), (360, "dark")])
def test_the_file_to_take_away_is_for_everybody(chromium, served, width, theme):
    with served.tab() as tab:
        html = tab.ask("export", fen=QUIET, moves=["e1g1"], nodes=20000)["html"]
    context = chromium.new_context(viewport={"width": width, "height": 800}, color_scheme=theme)
    page = context.new_page()
    page.set_content(html)
    page.locator(".board").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect_no_barrier(page, "export")
    context.close()


def test_a_game_that_is_over_looks_so(visit):
    page = visit("#moves=f2f3,e7e5,g2g4,d8h4")
    over = page.locator(".lines .note")
    expect(over).to_have_text("The game is over.")
    assert over.bounding_box()["height"] < 50           # one line, not one word under the other
    expect(page.locator("#bar")).to_have_attribute("aria-label", "The game is over: 0-1")
    assert page.locator(".bar-white").evaluate("bar => bar.style.height") == "2%"


@pytest.mark.slow
def test_tables_fit_a_phone(visit, data_dir):
    page = visit("#fen=8/8/8/8/4k3/8/4P3/4K3+w+-+-+0+1&limit=nodes+2000", viewport={"width": 360, "height": 800})
    page.evaluate("path => localStorage.setItem('barreleye-tables', path)", str(data_dir / "syzygy"))
    page.reload()
    table = page.locator("table:has-text('result')").first
    expect(table.locator("tbody tr")).to_have_count(5)
    assert table.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth")
    expect(table.locator("tbody .number").first).to_have_text("\u2013")          # a draw has no such distance
    expect(page.locator(".chances")).to_have_attribute("aria-label", "White wins 0 %, draw 100 %, Black wins 0 %")


@pytest.mark.slow
@pytest.mark.parametrize("width, theme", [(1280, "light"), (1280, "dark"), (360, "light")])
def test_nothing_overflows_and_everybody_can_use_it(visit, width, theme):
    page = visit(f"#fen={QUIET.replace(' ', '+')}&limit=nodes+20000", viewport={"width": width, "height": 800},
                 color_scheme=theme)
    for view, shown in VIEWS.items():
        page.get_by_role("tab", name=view).click()
        if view == "Tree":
            page.select_option("#view-tree select >> nth=0", "20000")
            page.get_by_role("button", name="Record a search").click()
        elif view == "Why?":
            page.get_by_role("button", name="Why this move?").click()
        elif view == "Games":
            page.fill("textarea", "1. e4 { [%clk 0:01:00] best by test } e5 2. Qh5 Ke7 3. Qxe5# 1-0")
            page.get_by_role("button", name="Read the games").click()
            page.get_by_role("button", name="Annotate").click()
        elif view == "Play":
            page.select_option("#view-play select >> nth=2", index=1)
            page.get_by_role("button", name="Start", exact=True).click()
        page.locator(shown).first.wait_for(state="attached")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, view
        expect_no_barrier(page, view)
