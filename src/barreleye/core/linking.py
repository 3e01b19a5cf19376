"""Which modules of the core are built as one library, how their C is joined, and how Python finds them there.

Cython calls another module's functions, and reads its tables, through pointers that it asks that module for when it is
imported. The compiler cannot see through them. Within one library a name will do, and a function may even be inlined.
setup.py has the C of the modules below changed so; what they call and read elsewhere stays as it is.
"""

import sys
from importlib.machinery import ExtensionFileLoader, ModuleSpec

LIBRARY = "barreleye.core.search"     # the module whose file holds the others too
# Those that call each other at every node. Python asks a library for the last part of a name, so no two may share it.
# On Windows each stays on its own: a compiler there wants to be told what a library shows.
MODULES = () if sys.platform == "win32" else (
    "barreleye.core.attacks",
    "barreleye.core.control",
    "barreleye.core.decision",
    "barreleye.core.driver",
    "barreleye.core.evaluate.classical",
    "barreleye.core.evaluate.endgame",
    "barreleye.core.evaluate.nnue",
    "barreleye.core.evaluate.pawns",
    "barreleye.core.history",
    "barreleye.core.ledger",
    "barreleye.core.movegen",
    "barreleye.core.movepick",
    "barreleye.core.position",
    "barreleye.core.qsearch",
    "barreleye.core.recorder",
    "barreleye.core.search",
    "barreleye.core.see",
    "barreleye.core.tt",
    "barreleye.core.update",
    "barreleye.core.worker",
    "barreleye.core.zobrist",
)
# What follows the declarations in Cython's C.
DECLARATIONS_END = "/* #### Code section: typeinfo ### */"


def mangled(module: str) -> str:
    """A module's name as Cython writes it at the start of its C names."""
    return "".join(f"{len(part)}{part}_" for part in module.split("."))


def join(text: str, module: str, modules: tuple[str, ...] = MODULES) -> str:
    """The C of one of these modules, with its own names for all to see and those of the others used directly.

    ValueError if it does not look as expected: another Cython may write it differently.
    """
    import re                         # only a build needs it

    own = mangled(module)
    others = "|".join(mangled(other) for other in modules if other != module)
    text = re.sub(rf"^static (?!CYTHON_INLINE)(?=[^(=]*\b__pyx_[fv]_{own}\w+[\[(;])", "", text, flags=re.M)
    # What the others hand over is still asked for, because that also checks their signatures, and then left unused.
    text, functions = re.subn(rf"^static (.*?)\(\*(__pyx_f_(?:{others})\w+)\)(\(.*\);) /\*proto\*/$", r"extern \1\2\3",
                              text, flags=re.M)
    text, offered = re.subn(rf"&__pyx_f_(?:{others})\w+(?=, \(void \(\*\*\)\(void\)\))", "&be_function", text)
    text, tables = re.subn(rf"^static (.*?)\(?\*__pyx_vp_((?:{others})\w+)\)?(.*) = 0;\n#define .*\n",
                           r"extern \1__pyx_v_\2\3;\n", text, flags=re.M)
    text, shown = re.subn(rf"&__pyx_vp_(?:{others})\w+(?=, \(void \*\*\))", "&be_table", text)
    # Methods: the classes are final, so the table of methods holds what the name says.
    classes = re.findall(rf"^struct __pyx_vtabstruct_({others})(\w+) \{{\n(.*?)^\}};", text, re.M | re.S)
    methods = [
        f"extern {result}__pyx_f_{home}{len(name)}{name}_{method}{signature}"
        for home, name, body in classes
        for result, method, signature in re.findall(r"^  (.*?)\(\*(\w+)\)(\(.*\);)$", body, re.M)
    ]
    text = re.sub(rf"\(\(struct __pyx_vtabstruct_({others})(\w+) \*\)[\w>.-]+->__pyx_vtab\)->(\w+)\(",
                  lambda call: f"__pyx_f_{call[1]}{len(call[2])}{call[2]}_{call[3]}(", text)
    if functions != offered or tables != shown or text.count(DECLARATIONS_END) != 1 or re.search(
            rf"__pyx_vp_(?:{others})|\(\*__pyx_f_(?:{others})|vtabstruct_(?:{others})\w+ \*\)[^;\n]*->__pyx_vtab\)->",
            text):
        raise ValueError(f"the C that Cython writes for {module} is not as {__name__} expects it")
    unused = ["static void (*be_function)(void);"] * (functions > 0) + ["static void *be_table;"] * (tables > 0)
    return text.replace(DECLARATIONS_END, "\n".join([*methods, *unused, DECLARATIONS_END]))


class Finder:
    """Finds modules in other files than those of their names, for Python's import."""

    def __init__(self, files: dict[str, str]):
        self.files = files

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Where a module is, or None if it is none of them."""
        if name not in self.files:
            return None
        spec = ModuleSpec(name, ExtensionFileLoader(name, self.files[name]), origin=self.files[name])
        spec.has_location = True
        return spec
