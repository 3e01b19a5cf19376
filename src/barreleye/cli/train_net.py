"""`barreleye train net` and the whole way at once: from positions, or from nothing, to a network file."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from barreleye import lock, output
from barreleye.cli.train_data import INTERRUPTED, player_of, progress_bar, watch
from barreleye.extras import how_to_install
from barreleye.train import dataset, plot
from barreleye.train.network import Epoch, Trainer, TrainingSettings, open_training

PLAY_OFF_NODES = 500


class LossView:
    """The loss curves as they grow, and how far the present epoch is."""

    def __init__(self, trainer: Trainer, live: Live) -> None:
        self.trainer = trainer
        self.live = live

    def step(self, step: int, steps: int, loss: float) -> None:
        number = len(self.trainer.history) + 1
        self.show(f"epoch {number}/{self.trainer.epochs}, step {step}/{steps}, loss {loss:.6f}")

    def epoch(self, epoch: Epoch) -> None:
        text = (f"epoch {epoch.number}/{self.trainer.epochs}: learning {epoch.learning:.6f}, checking "
                f"{epoch.checking:.6f}, rate {epoch.rate:.1e}, {epoch.speed / 1e6:.2f} M positions/s")
        self.show(text)
        if not self.live.console.is_terminal:
            self.live.console.print(text, soft_wrap=True, highlight=False)

    def show(self, status: str) -> None:
        lines = plot.loss_lines(self.trainer.history) if len(self.trainer.history) > 1 else []
        self.live.update(Group(*(Text(line, style="cyan") for line in lines), Text(status)))


def checkpoint_of(output: Path) -> Path:
    """Where a training keeps what it needs to go on after an interruption."""
    return output.with_name(output.name + ".checkpoint.npz")


def net(args: argparse.Namespace) -> int:
    """One training to a file at a time: two would write each other's checkpoints."""
    output.check(args.output)
    for data in args.data:
        output.check_apart({"the data": data, "-o": args.output})
    with lock.beside(checkpoint_of(args.output), str(args.output)):
        return train(args)


def train(args: argparse.Namespace) -> int:
    settings = TrainingSettings(
        width=args.width, buckets=args.buckets, regions=args.regions,
        start=str(args.start.resolve()) if args.start else "", epochs=args.epochs, steps=args.steps,
        batch=args.batch, rate=args.rate, first_share=args.first_share, last_share=args.last_share,
        foresight=args.foresight, validation=args.validation, min_ply=args.min_ply, scale=args.scale, seed=args.seed)
    console = Console(markup=False)
    checkpoint = checkpoint_of(args.output)
    trainer = open_training(args.data, settings, args.threads, checkpoint)
    if trainer.step:
        console.print(f"going on after step {trainer.step} of {trainer.steps} from {checkpoint}", soft_wrap=True,
                      highlight=False, markup=False)
    console.print(f"{trainer.supply.positions} positions to learn from, {len(trainer.checking)} to check with, "
                  f"a logit is {trainer.scale:.0f} centipawns", soft_wrap=True)
    seen = min(trainer.steps * settings.batch, trainer.epochs * trainer.supply.positions)
    note = args.note or f"{trainer.supply.positions} positions, seen {seen / trainer.supply.positions:.3g} times"
    try:
        with Live(console=console, refresh_per_second=4) as live:
            view = LossView(trainer, live)
            for epoch in trainer.run(view.step):
                view.epoch(epoch)
    except KeyboardInterrupt:
        console.print(f"interrupted: the same command goes on from {checkpoint}")
        return INTERRUPTED
    if not console.is_terminal:
        console.print()                  # rich ends what was live without one
    status = finish(trainer, args.output, note, console)
    checkpoint.unlink(missing_ok=True)   # another training to the same file begins anew
    return status


def finish(trainer: Trainer, path: Path, note: str, console: Console) -> int:
    """Write the network and its loss curves, and say so."""
    trainer.save(path, note)
    picture = path.with_suffix(".png")
    drawn = plot.save_png(trainer.history, picture, f"{path.name}: width {trainer.settings.width}")
    best = min(trainer.history, key=lambda epoch: epoch.checking)
    console.print(f"{path}: best check {best.checking:.6f} in epoch {best.number}"
                  + (f", loss curves in {picture}" if drawn else f" (for the loss curves: {how_to_install('plot')})"))
    return 0


def grow(args: argparse.Namespace) -> int:
    output.check(args.output)
    with lock.beside(checkpoint_of(args.output), str(args.output)):
        return play_and_train(args)


def play_and_train(args: argparse.Namespace) -> int:
    from barreleye.train import grow as growing

    if args.minutes <= 0:
        raise ValueError(f"--minutes is {args.minutes:g}, expected more than 0")
    settings, teacher = player_of(args)
    console = Console(markup=False)
    checkpoint = checkpoint_of(args.output)
    if checkpoint.exists():
        plan = f"The training that {checkpoint} belongs to goes on, and the network is written to {args.output}."
    else:
        plan = (f"{growing.PLAY_SHARE * args.minutes:.3g} minutes of self-play into {args.folder}, then about "
                f"{(1 - growing.PLAY_SHARE) * args.minutes:.3g} minutes of training, and the network is written to "
                f"{args.output}.")
    console.print(f"{plan} Ctrl-C keeps what is there; the same command goes on from it.", soft_wrap=True,
                  highlight=False, markup=False)
    try:
        with progress_bar(console, "{task.fields[figures]}") as progress:
            task = progress.add_task("self-play", total=60 * args.minutes * growing.PLAY_SHARE, figures="")
            trainer = growing.grow(
                args.folder, args.output, args.minutes, settings, threads=args.threads, teacher=teacher,
                checkpoint=checkpoint, on_play=watch(progress, task, lambda tally: tally.seconds),
                on_epoch=lambda epoch, _: progress.console.print(
                    f"epoch {epoch.number}: learning {epoch.learning:.6f}, checking {epoch.checking:.6f}, "
                    f"{epoch.speed / 1e6:.2f} M positions/s"))
    except KeyboardInterrupt:
        console.print(f"interrupted: the games are in {args.folder}"
                      + (f", the training is in {checkpoint}" if checkpoint.exists() else "")
                      + "; the same command goes on from there", soft_wrap=True, highlight=False, markup=False)
        return INTERRUPTED
    finish(trainer, args.output, f"grown from {trainer.supply.total} positions", console)
    checkpoint.unlink(missing_ok=True)
    if args.games > 0:
        with tempfile.TemporaryDirectory() as scratch:
            material = Path(scratch, "material.net")
            growing.material_network(material)
            standing = growing.play_off(args.output, material, dataset.load([args.folder]), args.games, PLAY_OFF_NODES,
                                        args.threads)
        score = standing.score
        console.print(f"against counting material, {PLAY_OFF_NODES} nodes a move: +{score.wins} ={score.draws} "
                      f"-{score.losses} ({score.points / max(1, score.games):.0%})")
    console.print(f"play with it: setoption name EvalFile value {args.output.resolve()}")
    return 0
