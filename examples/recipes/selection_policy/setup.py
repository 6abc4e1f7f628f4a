from Cython.Build import cythonize
from setuptools import Extension, setup

import playout

flags = ["-O3", "-ffp-contract=off"]  # no fused multiply-add: the same results on all machines
extension = Extension(
    "my_policies.ucb_v", ["my_policies/ucb_v.pyx"], include_dirs=[playout.get_include()], extra_compile_args=flags
)
setup(ext_modules=cythonize([extension], compiler_directives={"language_level": 3, "cdivision": True}))
