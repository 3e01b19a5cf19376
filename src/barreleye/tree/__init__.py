"""A recorded search: the tree of its visits, every decision in it, and what can be made of both."""

from barreleye.tree.compare import Difference
from barreleye.tree.tree import Tree
from barreleye.tree.visit import Event, Visit

__all__ = ["Difference", "Event", "Tree", "Visit"]
