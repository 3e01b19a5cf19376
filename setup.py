"""Build the compiled core: each module under src/barreleye/core with a .pxd header beside it becomes an extension, or
part of the one library of those that core/linking.py names.

Everything declarative stands in pyproject.toml. Environment variables choose the kind of build, and each kind keeps
its products apart under build/:

BARRELEYE_ARCH   native (default), portable, a core of core/variants.py such as x86-64-v3, or any -march value
BARRELEYE_CORES  1 for a wheel with all cores of core/variants.py, or the names of some of them; elsewhere than on
                 x86-64 that is one portable core
BARRELEYE_DEBUG  1 for bounds checks, asserts, address and undefined-behaviour sanitizers; thread for that sanitizer
BARRELEYE_TUNE   1 to let every engine have its own numbers of core/params.pxd, set while it runs; on Linux
BARRELEYE_PGO    1 to build twice with gcc: what the first build counts while it searches guides the second
"""

import copy
import os
import platform
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CompileError, SetupError

os.chdir(Path(__file__).resolve().parent)

CORE = Path("src/barreleye/core")
VARIANTS = runpy.run_path(str(CORE / "variants.py"))
IS_X86 = platform.machine().lower() in {"x86_64", "amd64", "i386", "i686"}
ARCH = os.environ.get("BARRELEYE_ARCH") or "native"
asked = os.environ.get("BARRELEYE_CORES") or "0"
CORES: list[str] = {"0": [], "1": [*VARIANTS["NEEDS"]]}.get(asked, asked.split(","))
if not set(CORES) <= set(VARIANTS["NEEDS"]):
    sys.exit(f"BARRELEYE_CORES is 1, 0, or some of {','.join(VARIANTS['NEEDS'])}.")
if CORES and not (IS_X86 and sys.maxsize > 2 ** 32):
    ARCH, CORES = "portable", []
DEBUG = {"": "", "0": "", "1": "address", "thread": "thread"}.get(os.environ.get("BARRELEYE_DEBUG", ""))
if DEBUG is None:
    sys.exit("BARRELEYE_DEBUG is 1 (address and undefined behaviour), thread or 0.")
TUNE, PGO = (os.environ.get(name) or "0" for name in ("BARRELEYE_TUNE", "BARRELEYE_PGO"))
if not {TUNE, PGO} <= {"0", "1"}:
    sys.exit("BARRELEYE_TUNE and BARRELEYE_PGO are 1 or 0.")
TUNING, PROFILED = TUNE == "1", PGO == "1"
if TUNING and sys.platform != "linux":
    sys.exit("BARRELEYE_TUNE=1 builds on Linux only: modules share a thread's parameters by way of its dynamic linker.")
if PROFILED and DEBUG:
    sys.exit("BARRELEYE_PGO=1 makes a build faster and BARRELEYE_DEBUG makes it slower: choose one.")
if CORES and (DEBUG or TUNING):
    sys.exit("BARRELEYE_CORES makes a wheel for everybody; leave out BARRELEYE_DEBUG and BARRELEYE_TUNE.")

FLAVOUR = (f"debug-{DEBUG}" if DEBUG else "release") + ("-tune" if TUNING else "")
KIND = Path("build", FLAVOUR if DEBUG else f"{FLAVOUR}-{'wheel' if CORES else ARCH}")
BUILD = KIND.with_name(KIND.name + "-pgo") if PROFILED else KIND
GENERATED = Path("build", FLAVOUR, "cython")             # the same C for every CPU, with a profile and without
SOURCE = KIND / "source" if TUNING else Path("src")      # what Cython reads
LINKING = runpy.run_path(str(CORE / "linking.py"))
CPU, ORIGIN = "barreleye.core.cpu", "barreleye.core.origin"
WORKLOAD = Path("benchmarks/workload.py")
NAMED = re.compile(r"^from (?:cython\.cimports\.)?(barreleye[\w.]*) c?import \(?([\w, \t\n]+)", re.MULTILINE)

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": bool(DEBUG),
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "nonecheck": False,
    "auto_pickle": False,
    "embedsignature": True,
    "show_performance_hints": not DEBUG,
}
# With a profile, code that the workload never reached is left as it would be without one. Where gcc 12 threads jumps
# around such code it loses counts, takes what follows for unreached as well, and would move most of a node far away.
GUIDED = ["-fprofile-partial-training"]
SANITIZERS = {
    "address": ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"],
    "thread": ["-fsanitize=thread"],
}
TOOLS = {
    "linux": "gcc and the Python headers, on Debian and Ubuntu with 'apt install build-essential python3-dev'",
    "darwin": "Apple's command line tools with 'xcode-select --install'",
    "win32": "Visual Studio's Build Tools with 'Desktop development with C++'",
}.get(sys.platform, "a C compiler and the Python headers")


def core_modules() -> list[Extension]:
    """Extensions for the Python bodies with a header; headers alone are only cimported, packages stay Python."""
    bodies = [header.with_suffix(".py") for header in sorted(CORE.rglob("*.pxd")) if header.name != "__init__.pxd"]
    modules = {module_name(body): str(GENERATED / body.with_suffix(".c")) for body in bodies if body.exists()}
    linked = [name for name in modules if name in LINKING["MODULES"]]
    library = [Extension(LINKING["LIBRARY"], [modules.pop(name) for name in linked])] if linked else []
    return [*library, *(Extension(name, [source]) for name, source in modules.items())]


def module_name(body: Path) -> str:
    """What Python calls the module of a file under src."""
    return ".".join(body.with_suffix("").parts[1:])


def files_read(dependencies: Callable[[str], Iterable[str]], body: Path) -> set[str]:
    """What a module is made of: the files that Cython knows of, and the headers that are used by their names.

    Cython does not look for those of `from cython.cimports.barreleye.core import params` in a body.
    """
    found: set[str] = set()
    waiting = [str(body)]
    while waiting:
        new = set(map(str, dependencies(waiting.pop()))) - found
        found |= new
        for path in (Path(name) for name in new if Path(name).is_relative_to(SOURCE)):
            for room, names in NAMED.findall(path.read_text(encoding="utf-8")):
                headers = (SOURCE.joinpath(*room.split("."), f"{name}.pxd") for name in re.findall(r"\w+", names))
                waiting += [str(header) for header in headers if header.exists() and str(header) not in found]
    return found


# The header that a tuning build has in place of core/tuning.pxd. Every module that reads a parameter defines the
# pointer, and all of them use that of the module loaded first, because it shows its own to those that come later.
TUNING_HEADER = '''"""Whose parameters this thread reads: those of the engine that searches on it."""

cdef extern from *:
    """
    #include <dlfcn.h>
    static const int be_defaults[] = {DEFAULTS};
    __attribute__((weak, visibility("default"), tls_model("initial-exec")))
    __thread const int *be_params = be_defaults;
    __attribute__((constructor)) static void be_share_params(void) {
      Dl_info self;
      if (dladdr((void *)be_defaults, &self)) dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
    }
    static CYTHON_INLINE const int *be_use_params(const int *numbers) {
      const int *before = be_params;
      be_params = numbers ? numbers : be_defaults;
      return before;
    }
    """
    const int* use_params "be_use_params"(const int* numbers) noexcept nogil

cdef enum:
    TUNING = 1
'''


def write_tuning_source() -> None:
    """Copy the core to where Cython reads it in a tuning build, with every parameter a number found at run time."""
    reader = runpy.run_path(str(CORE / "parameters.py"))
    params = (CORE / "params.pxd").read_text(encoding="utf-8")
    found = reader["parse"](params)
    number = {parameter.name: index for index, parameter in enumerate(found)}
    defaults = ", ".join(str(parameter.default) for parameter in found)
    texts = {
        CORE / "tuning.pxd": TUNING_HEADER.replace("DEFAULTS", defaults),
        CORE / "params.pxd": "from barreleye.core.tuning cimport use_params\n" + reader["ENTRY"].sub(
            lambda entry: f'    const int {entry[1]} "be_params[{number[entry[1]]}]"', params
        ).replace("cdef enum:", "cdef extern from *:"),
    }
    current = [path for path in (CORE.parent / "__init__.py", *CORE.rglob("*")) if path.suffix in {".py", ".pxd"}]
    for path in current:
        copy = SOURCE / path.relative_to("src")
        copy.parent.mkdir(parents=True, exist_ok=True)
        if path not in texts:
            shutil.copy2(path, copy)
        elif not copy.exists() or copy.read_text(encoding="utf-8") != texts[path]:
            copy.write_text(texts[path], encoding="utf-8")
    for copy in SOURCE.rglob("*.p*"):
        if copy.is_file() and "src" / copy.relative_to(SOURCE) not in current:
            copy.unlink()


class BuildCore(build_ext):
    """Cythonize and compile each module when it or a header it reads has changed; modules build in parallel."""

    build_lib: str
    inplace: bool

    def finalize_options(self):
        super().finalize_options()
        self.parallel: int | bool = self.parallel or os.cpu_count() or 1

    def get_source_files(self):
        return []  # generated C stays out of source distributions

    def build_extensions(self):
        from Cython.Build.Dependencies import create_dependency_tree
        from Cython.Compiler.Main import CompilationOptions, Context

        unix = self.compiler.compiler_type != "msvc"
        compile_args, arch_args, link_args = self.unix_flags() if unix else self.msvc_flags()
        if unix:    # where this Python has its own library, which no module needs and other machines have elsewhere
            self.compiler.linker_so = [flag for flag in self.compiler.linker_so if not flag.startswith("-Wl,-rpath")]
        if TUNING:
            write_tuning_source()
        options = CompilationOptions(include_path=[str(SOURCE)])
        headers = create_dependency_tree(Context.from_options(options), quiet=True)
        self.depends: dict[str, list[str]] = {}
        for extension in self.extensions:
            for source in extension.sources:
                read = files_read(headers.all_dependencies, self.body(source))
                self.depends[source] = ["setup.py", str(CORE / "linking.py"), *read]
            extension.depends = [path for source in extension.sources for path in self.depends[source]]
            own = {LINKING["LIBRARY"]: ["-fvisibility=hidden"], ORIGIN: self.told_to_origin(),
                   CPU: self.told_to_cpu(arch_args)}.get(extension.name, [])
            # What is asked about the CPU must run on every one.
            extension.extra_compile_args = [*compile_args, *(arch_args if extension.name != CPU else []), *own]
            extension.extra_link_args = link_args
        if PROFILED and not CORES:
            self.train()
        super().build_extensions()

    def told_to_origin(self) -> list[str]:
        define = "/D" if self.compiler.compiler_type == "msvc" else "-D"
        return [f"{define}BARRELEYE_ARCH={ARCH}", *[f"{define}BARRELEYE_PROFILED"] * PROFILED]

    def told_to_cpu(self, arch_args: list[str]) -> list[str]:
        """What the compiler may use of a CPU with these flags: whoever loads the core finds out whether it is there."""
        if self.compiler.compiler_type == "msvc":
            needs = sorted(VARIANTS["VERSION_3"]) if "/arch:AVX2" in arch_args else []
            return [f"/DBARRELEYE_NEEDS={'+'.join(needs)}"]
        command = [*self.compiler.compiler_so, *arch_args, "-dM", "-E", "-x", "c", os.devnull]
        defined = subprocess.run(command, capture_output=True, text=True).stdout
        needs = VARIANTS["used"]({line.split()[1] for line in defined.splitlines() if line.startswith("#define ")})
        return [f"-DBARRELEYE_NEEDS={'+'.join(needs)}"]

    def train(self) -> None:
        """Build with counters, let the workload run, and have each module that it reached compiled by its profile."""
        is_gcc = "#if defined(__clang__) || !defined(__GNUC__)\n#error\n#endif\nint barreleye_probe;\n"
        if self.compiler.compiler_type == "msvc" or not self.accepts([], is_gcc):
            raise SetupError("BARRELEYE_PGO=1 needs gcc, and the compiler here is another one: set CC=gcc.")
        profile, counting = BUILD / "profile", BUILD / "counting"
        plain = [(one, one.extra_compile_args, one.extra_link_args) for one in self.extensions]
        for extension, compile_args, link_args in plain:
            extension.extra_compile_args = [*compile_args, f"-fprofile-generate={profile.resolve()}"]
            extension.extra_link_args = [*link_args, "-fprofile-generate"]
        final = self.build_lib, self.inplace
        self.build_lib, self.inplace = str(counting), False      # but the same objects: gcc names profiles by them
        super().build_extensions()
        modules = [self.get_ext_fullpath(extension.name) for extension in self.extensions]
        self.build_lib, self.inplace = final
        done = profile / "done"
        if not done.exists() or done.stat().st_mtime < max(os.path.getmtime(path) for path in [WORKLOAD, *modules]):
            self.run_workload(counting, profile)
            for extension in self.extensions:                    # what an older profile guided
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            done.touch()
        profiles = [str(path).replace("#", "/") for path in profile.rglob("*.gcda")]
        for extension, compile_args, link_args in plain:
            own = tuple(str(Path(source).with_suffix(".gcda")) for source in extension.sources)
            # What never ran would be made small instead of fast, and the workload has no tablebases.
            ran = any(path.endswith(own) for path in profiles) and ".syzygy." not in extension.name
            use = [*compile_args, *GUIDED, f"-fprofile-use={profile.resolve()}"] if ran else compile_args
            # The library is optimised as a whole, and that is done by the linker.
            whole = ["-flto=auto"] if ran and extension.name == LINKING["LIBRARY"] else []
            extension.extra_compile_args = [*use, *whole]
            extension.extra_link_args = [*link_args, *use, *whole] if whole else link_args

    @staticmethod
    def run_workload(counting: Path, profile: Path) -> None:
        shutil.rmtree(profile, ignore_errors=True)
        unwanted = shutil.ignore_patterns("__pycache__", "*.so")
        shutil.copytree(CORE.parent, counting / "barreleye", ignore=unwanted, dirs_exist_ok=True)
        print(f"running {WORKLOAD} for a profile", flush=True)
        environment = {**os.environ, "PYTHONPATH": str(counting)}
        result = subprocess.run([sys.executable, str(WORKLOAD)], env=environment, capture_output=True, text=True)
        if result.returncode:
            raise SetupError(f"BARRELEYE_PGO=1 has to run what it builds and cannot: build on a machine that has "
                             f"BARRELEYE_ARCH={ARCH}, or without a profile.\n{result.stderr}".rstrip())

    def build_extension(self, extension):
        """Compile what has changed of an extension's modules, side by side, and link them."""
        target = self.get_ext_fullpath(extension.name)
        newest = max(os.path.getmtime(path) for path in extension.depends)
        if not self.force and os.path.exists(target) and os.path.getmtime(target) >= newest:
            return
        with ThreadPoolExecutor(self.parallel) as pool:
            objects = list(pool.map(lambda source: self.build_object(extension, source), extension.sources))
        parts = copy.copy(extension)
        parts.sources, parts.extra_objects, parts.depends = [], objects, objects
        super().build_extension(parts)

    def build_object(self, extension, source: str) -> str:
        """Translate and compile one module, unless that was done since it changed and with the same flags."""
        newest = max(os.path.getmtime(path) for path in self.depends[source])
        if self.force or not os.path.exists(source) or os.path.getmtime(source) < newest:
            self.cythonize(self.body(source), Path(source))
        target = Path(self.compiler.object_filenames([source], output_dir=self.build_temp)[0])
        flags = " ".join([*self.compiler.compiler_so, *extension.extra_compile_args])
        known = target.with_suffix(".flags")
        if (self.force or not target.exists() or target.stat().st_mtime < os.path.getmtime(source)
                or not known.exists() or known.read_text(encoding="utf-8") != flags):
            known.unlink(missing_ok=True)
            self.compiler.compile([source], output_dir=self.build_temp, include_dirs=extension.include_dirs,
                                  debug=self.debug, extra_postargs=extension.extra_compile_args)
            known.write_text(flags, encoding="utf-8")
        return str(target)

    @staticmethod
    def body(source: str) -> Path:
        return SOURCE / Path(source).relative_to(GENERATED / "src").with_suffix(".py")

    def cythonize(self, body: Path, target: Path) -> None:
        """Translate one module to C. Anything Cython has to say about it, a hint or a warning, is an error."""
        directives = [part for item in DIRECTIVES.items() for part in ("-X", "{}={}".format(*item))]
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=GENERATED) as scratch:
            output = Path(scratch, target.name)
            translate = [sys.executable, "-m", "cython", "-3", "-Werror", "-I", str(SOURCE), *directives]
            print(f"cythonizing {body}", flush=True)
            result = subprocess.run([*translate, "-o", str(output), str(body)], capture_output=True, text=True)
            remarks = (result.stdout + result.stderr).strip()
            if result.returncode or remarks:
                raise CompileError(f"Cython does not accept {body} without remarks:\n{remarks}")
            name = module_name(Path("src", body.relative_to(SOURCE)))
            if name in LINKING["MODULES"]:
                try:
                    output.write_text(LINKING["join"](output.read_text(encoding="utf-8"), name), encoding="utf-8")
                except ValueError as error:
                    raise CompileError(str(error)) from None
            output.replace(target)

    def msvc_flags(self) -> tuple[list[str], list[str], list[str]]:
        wide, magics = "/arch:AVX2", "/DBARRELEYE_MAGICS"
        levels = {"native": [wide, magics], "x86-64-v3": [wide, magics], "x86-64-v3-pext": [wide],
                  "x86-64-v4": ["/arch:AVX512"]}
        arch = levels.get(ARCH, []) if self.plat_name == "win-amd64" else []
        if DEBUG:
            return ["/Od", "/Zi", "/UNDEBUG", "/DBARRELEYE_DEBUG"], arch, ["/DEBUG"]
        return ["/O2", "/DNDEBUG", "/DCYTHON_WITHOUT_ASSERTIONS"], arch, []

    def unix_flags(self) -> tuple[list[str], list[str], list[str]]:
        self.require_compiler()
        if not DEBUG:
            # Nobody reads errno or floating-point flags, and loops over floats become vectors only without them.
            floats = ["-fno-math-errno", "-fno-trapping-math"]
            return ["-O3", "-g0", "-DNDEBUG", "-DCYTHON_WITHOUT_ASSERTIONS", *floats], self.arch_flags(), []
        debug = ["-O1", "-g", "-fno-omit-frame-pointer", "-UNDEBUG", "-DBARRELEYE_DEBUG"]
        sanitizers = SANITIZERS[DEBUG]
        if sys.platform != "linux" or not self.accepts([*sanitizers, "-Wl,-z,defs"]):
            print(f"the compiler has no {DEBUG} sanitizer here: building with bounds checks and asserts only")
            sanitizers = []
        return [*debug, *sanitizers], [], sanitizers

    def arch_flags(self) -> list[str]:
        if ARCH == "portable":
            return []
        if ARCH == "native":
            flag = "-march=native" if IS_X86 else "-mcpu=native"
            return [flag] if self.accepts([flag]) else []
        flag = f"-march={ARCH.removesuffix('-pext')}"
        if not self.accepts([flag]):
            raise SetupError(f"The compiler does not know BARRELEYE_ARCH={ARCH}; try native, portable or x86-64-v3.")
        magics = ARCH in set(VARIANTS["NEEDS"]) - VARIANTS["WITH_PEXT"]
        return [flag, *["-DBARRELEYE_MAGICS"] * magics]

    def require_compiler(self) -> None:
        compiler = self.compiler.compiler_so[0]
        if not self.accepts([]):
            raise SetupError(f"Building Barreleye needs a C compiler and '{compiler}' does not work: install {TOOLS}.")
        includes = [f"-I{path}" for path in self.include_dirs]
        if not self.accepts(includes, "#include <Python.h>\nint barreleye_probe;\n"):
            raise SetupError(f"Building Barreleye needs the Python headers and Python.h is missing: install {TOOLS}.")

    def accepts(self, flags: list[str], program: str = "int barreleye_probe;\n") -> bool:
        """Whether the compiler compiles and links a small shared library with these flags."""
        with tempfile.TemporaryDirectory() as scratch:
            source, product, library = (str(Path(scratch, name)) for name in ("probe.c", "probe.o", "probe.so"))
            Path(source).write_text(program)
            commands = (
                [*self.compiler.compiler_so, *flags, "-c", source, "-o", product],
                [*self.compiler.linker_so, *flags, product, "-o", library],
            )
            try:
                return all(subprocess.run(command, capture_output=True).returncode == 0 for command in commands)
            except OSError:
                return False


class BuildCores(BuildCore):
    """Build each of a wheel's cores as a build of its own, and put them side by side."""

    def finalize_options(self):
        super().finalize_options()
        self.cores_of_wheel: list[str] = []

    def run(self):
        if self.inplace:
            raise SetupError("BARRELEYE_CORES makes a wheel with several cores: leave it out of a build in place.")
        super().run()

    def build_extensions(self):
        super().build_extensions()
        for name in CORES:
            print(f"building the core {name}", flush=True)
            built = Path("build", f"core-{name}")
            forced = ["--force"] if self.force else []
            command = [sys.executable, "setup.py", "build_ext", "--build-lib", str(built), *forced]
            environment = {**os.environ, "BARRELEYE_CORES": "", "BARRELEYE_ARCH": name}
            if subprocess.run(command, env=environment).returncode:
                raise SetupError(f"The core {name} cannot be built: what it said stands above.")
            self.collect(built / "barreleye" / "core", name)
        names = self.place("names.txt")
        names.write_text("".join(f"{name}\n" for name in CORES), encoding="utf-8")

    def place(self, *parts: str) -> Path:
        """Where something of the wheel's cores goes."""
        path = Path(self.build_lib, "barreleye", "core", "compiled", *parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        self.cores_of_wheel.append(str(path))
        return path

    def collect(self, core: Path, name: str) -> None:
        """Take over the modules of a core, but not the one that chooses among cores."""
        for extension in core_modules():
            if extension.name != CPU:
                file = Path(self.get_ext_filename(extension.name)).relative_to("barreleye/core")
                shutil.copy2(core / file, self.place(name, *file.parts))

    def get_outputs(self):
        return [*super().get_outputs(), *self.cores_of_wheel]


class BuildCoreFirst(build):
    """Compile before copying, so that a missing compiler is the first thing said and not the last."""

    sub_commands = sorted(build.sub_commands, key=lambda step: step[0] != "build_ext")


class BuildPackage(build_py):
    """Copy the package, and drop what an earlier build left behind of modules that no longer exist."""

    def run(self):
        super().run()
        if self.editable_mode:
            return
        build_ext_command = self.get_finalized_command("build_ext")
        current = {Path(path) for path in [*self.get_outputs(), *build_ext_command.get_outputs()]}
        for path in Path(self.build_lib, "barreleye").rglob("*"):
            if path.is_file() and path not in current:
                path.unlink()


setup(
    ext_modules=[extension for extension in core_modules() if not CORES or extension.name == CPU],
    cmdclass={"build": BuildCoreFirst, "build_ext": BuildCores if CORES else BuildCore, "build_py": BuildPackage},
    options={"build": {"build_base": str(BUILD)}},
)
