"""Copy the app's files, which are beside the package, into the wheel's folder prviz/app.

Everything else about the package is in pyproject.toml. ``prviz.shipped`` finds these files in a
checkout and in an installed wheel.
"""

from pathlib import Path

from setuptools import Command, setup
from setuptools.command.build import build

APP = (
    *("app.py", ".streamlit/config.toml", "pages/*.py", "assets/**/*", "notebooks/*.ipynb"),
    "lessons/*.toml",
    "lessons/*.csv",
    "lessons/*.txt",
)


class BuildApp(Command):
    """Copy the app: a step of ``build`` that follows setuptools' protocol ``SubCommand``."""

    editable_mode = False  # True in an editable install, which copies nothing

    def initialize_options(self):
        self.build_lib = None

    def finalize_options(self):
        self.set_undefined_options("build_py", ("build_lib", "build_lib"))

    def get_source_files(self):
        found = (path for pattern in APP for path in Path().glob(pattern))
        return sorted(path.as_posix() for path in found if path.is_file())

    def get_output_mapping(self):
        folder = Path(self.build_lib, "prviz", "app")
        return {str(folder / source): source for source in self.get_source_files()}

    def get_outputs(self):
        return list(self.get_output_mapping())

    def run(self):
        if self.editable_mode:
            return
        for target, source in self.get_output_mapping().items():
            self.mkpath(str(Path(target).parent))
            self.copy_file(source, target)


build.sub_commands.append(("build_app", None))
setup(cmdclass={"build_app": BuildApp})
