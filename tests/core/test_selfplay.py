"""Self-play: whole legal games, the same for the same seed, and records that say what stood on the board."""

import struct

import chess
import pytest

from barreleye.core.notation import move_name
from barreleye.core.position import Position
from barreleye.core.selfplay import SelfPlay

REJECTED = -2
NO_RESULT = 3


def make_player() -> SelfPlay:
    player = SelfPlay(1)
    player.soft_nodes, player.hard_nodes = 100, 800
    return player


@pytest.fixture(scope="module")
def games() -> list[tuple[int, bytes, bytes]]:
    player = make_player()
    return [game for seed in range(30) if (game := player.play(Position(), seed))[0] != REJECTED]


def moves_of(game: tuple[int, bytes, bytes]) -> list[tuple[str, int]]:
    return [(move_name(move), score) for move, score in struct.iter_unpack("<Hh", game[2])]


def test_games_are_legal_and_rightly_ended(games: list[tuple[int, bytes, bytes]]) -> None:
    assert len(games) > 10
    for game in games:
        board = chess.Board()
        for move, _ in moves_of(game):
            board.push_uci(move)
        if board.is_checkmate():
            assert game[0] == (0 if board.turn else 2)
        if board.is_stalemate() or board.is_insufficient_material():
            assert game[0] == 1


def test_records_are_positions_of_the_game(games: list[tuple[int, bytes, bytes]]) -> None:
    for result, records, played in games[:8]:
        board = chess.Board()
        seen = {}
        for move, score in moves_of((result, records, played)):
            seen[board.occupied, board.turn, board.ply()] = (board.copy(stack=False), move, score)
            board.push_uci(move)
        for record in struct.iter_unpack("<Q16shBBBBH", records):
            occupied, pieces, score, points, side_ep, rule50, _, ply = record
            at, move, chosen = seen[occupied, side_ep < 128, ply]
            squares = list(chess.scan_forward(occupied))
            men = [pieces[index // 2] >> 4 * (index % 2) & 15 for index in range(len(squares))]
            assert men == [piece.piece_type + 8 * (piece.color == chess.BLACK)
                           for _, piece in sorted(at.piece_map().items())]
            assert (score, points, rule50) == (chosen, result, at.halfmove_clock)
            assert not at.is_check()
            assert not at.is_capture(chess.Move.from_uci(move))


def test_a_game_depends_on_its_seed_alone() -> None:
    veteran = make_player()
    for seed in range(5):
        veteran.play(Position(), seed)
    veteran.new_game()
    game = veteran.play(Position(), 77)
    assert game == make_player().play(Position(), 77)
    veteran.new_game()
    assert game != veteran.play(Position(), 78)


def test_games_share_what_they_learn_until_a_new_game() -> None:
    def second_game() -> tuple[int, bytes, bytes]:
        player = make_player()
        player.play(Position(), 5)
        game: tuple[int, bytes, bytes] = player.play(Position(), 77)
        return game

    assert second_game() == second_game() != make_player().play(Position(), 77)


def test_positions_in_check_are_searched_less() -> None:
    nodes = []
    for enough in (100, 1):
        player = make_player()
        player.check_nodes, player.random_plies = enough, 0
        player.win_score, player.win_plies, player.opening_limit = 1, 1, 30_000      # one search decides
        player.play(Position("rnbqk2r/pppp1ppp/5n2/4p3/1b1PP3/8/PPP2PPP/RNBQKBNR w KQkq - 1 4"), 2)
        nodes.append(player.nodes)
    assert nodes[1] < nodes[0]


def test_the_search_tree_gives_positions_without_a_result() -> None:
    player = make_player()
    player.samples, player.sample_nodes = 3, 20
    result, records, _ = next(game for seed in range(9) if (game := player.play(Position(), seed))[0] != REJECTED)
    plies: dict[int, list[int]] = {}
    for _, _, _, points, _, _, _, ply in struct.iter_unpack("<Q16shBBBBH", records):
        plies.setdefault(ply, []).append(points)
    assert all(points[0] == result and points[1:] == [NO_RESULT] * (len(points) - 1) for points in plies.values())
    assert max(map(len, plies.values())) == 4
    player.samples = 9
    with pytest.raises(ValueError, match="expected 0 to 8"):
        player.play(Position(), 1)
