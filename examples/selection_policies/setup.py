"""Build the policies: `python setup.py build_ext --inplace`."""

from Cython.Build import cythonize
from setuptools import Extension, setup

import playout

FLAGS = ["-O3", "-ffp-contract=off"]  # no fused multiply-add: the same results on all machines

setup(
    name="selection-policies",
    packages=["selection_policies"],
    ext_modules=cythonize(
        [
            Extension(
                f"selection_policies.{name}",
                [f"selection_policies/{name}.pyx"],
                include_dirs=[playout.get_include()],
                extra_compile_args=FLAGS,
            )
            for name in ("ducb1", "thompson", "ucb1_tuned")
        ],
        compiler_directives={"language_level": 3, "cdivision": True},
    ),
)
