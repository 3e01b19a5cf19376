"""The standings in words: the same plain lines for the terminal, the log and the end of a match."""

from __future__ import annotations

import math
from collections.abc import Sequence

from barreleye.match.games.game import GameRecord
from barreleye.match.statistics.ratings import Rating
from barreleye.match.statistics.score import Estimate, Score
from barreleye.match.statistics.sprt import Sprt
from barreleye.match.tournament.standings import Standings
from barreleye.terminal import printable


def summary_lines(standings: Standings) -> list[str]:
    """Everything the results say, for two engines as one score, for more as a table."""
    if len(standings.names) == 2:
        lines = score_lines(standings.names, standings.total, standings.score, standings.sprt, standings.verdict)
    else:
        lines = [f"{standings.played} of {standings.total} games", *rating_lines(standings.ratings()), ""]
        lines += [f"{a} - {b}: {_result(score)}" for (a, b), score in standings.scores.items() if score.games]
    return lines + fault_lines(standings)


def status_line(standings: Standings) -> str:
    """One line for a log."""
    text = f"{standings.played}/{standings.total}"
    if len(standings.names) != 2:
        leaders = ", ".join(f"{row.name} {row.elo:+.0f}" for row in standings.ratings()[:4])
        return f"{text}  {leaders}"
    first, second = standings.names
    score = standings.score
    text += f"  {first} - {second}: {_result(score)}, Elo {elo_text(score.elo())}"
    return f"{text}, LLR {standings.llr:.2f}" if standings.sprt else text


def fault_lines(standings: Standings) -> list[str]:
    return [f"! {name} lost {count} by {reason}" for (name, reason), count in sorted(standings.faults.items())]


def fault_report(record: GameRecord) -> str:
    """Loud: which game, who, why, and the last lines of the talk."""
    head = f"! game {record.number + 1}, {record.white} - {record.black}: {record.fault} loses by {record.reason}"
    return "\n".join(printable(line) for line in [f"{head}: {record.detail}", *(f"!   {line}" for line in record.talk)])


def rating_lines(rows: Sequence[Rating]) -> list[str]:
    width = max(len(row.name) for row in rows)
    lines = [f"{'rank':>4}  {'name':<{width}} {'Elo':>8} {'±':>7} {'points':>8} {'games':>6} {'score':>7} {'draws':>7}"]
    for rank, row in enumerate(rows, 1):
        games = max(1, row.games)
        lines.append(
            f"{rank:>4}  {row.name:<{width}} {row.elo:>+8.1f} {row.error:>7.1f} {row.points:>8.1f} {row.games:>6}"
            f" {100 * row.points / games:>5.1f} % {100 * row.draws / games:>5.1f} %"
        )
    return lines


def elo_text(elo: Estimate) -> str:
    """The value with both ends of its interval, which far from equality are not equally far away."""
    if math.isinf(elo.low) and math.isinf(elo.high):
        return f"{elo.value:+.1f}, no interval yet"
    return f"{elo} (95 %: {elo.low:+.1f} .. {elo.high:+.1f})"


def score_lines(names: Sequence[str], total: int, score: Score, sprt: Sprt | None = None,
                verdict: str | None = None) -> list[str]:
    """What the games of two players say, all of it."""
    first, second = names
    lines = [f"{first} - {second}: {score.games} of {total} games, {_result(score)}"]
    lines.append(f"Elo  {elo_text(score.elo())}")
    lines.append(f"nElo {elo_text(score.normalized_elo())}")
    lines.append(f"LOS  {100 * score.likelihood_of_superiority():.1f} %, draws {100 * score.draw_ratio:.1f} %")
    lines.append(f"pairs by points 0, 0.5, 1, 1.5, 2: {score.pairs}")
    if sprt:
        decided = f": {verdict} accepted" if verdict else ""
        llr = sprt.llr(score.pairs)
        lines.append(f"SPRT {sprt}: LLR {llr:.2f} ({sprt.lower:.2f}, {sprt.upper:.2f}){decided}")
    return lines


def _result(score: Score) -> str:
    share = f" ({100 * score.points / score.games:.1f} %)" if score.games else ""
    return f"W {score.wins} L {score.losses} D {score.draws}{share}"
