"""Runs a script of a case with its functions compiled by XLA: python -m ppxla SCRIPT

Every tf.function of the script, and the steps of Keras's models, get jit_compile=True unless the
script says otherwise. The other way to have XLA compile, clusters that TensorFlow finds by itself,
needs no driver but an environment variable, and works for the sessions of TensorFlow 1 as well.
"""

import runpy
import sys


def compile_functions(tf):
    plain = tf.function

    def function(func=None, *args, **options):
        options.setdefault("jit_compile", True)
        return plain(func, *args, **options)

    tf.function = function


def compile_models(model):
    """What Keras does for model.compile(jit_compile=True), for models without it as well."""
    for name in ("make_train_function", "make_test_function", "make_predict_function"):
        def made(self, *args, plain=getattr(model, name), **options):
            if getattr(self, "_jit_compile", False) is None or not hasattr(self, "_jit_compile"):
                self._jit_compile = True
            return plain(self, *args, **options)
        setattr(model, name, made)


def main(script):
    import tensorflow as tf

    compile_functions(tf)
    compile_models(tf.keras.Model)
    sys.argv = [script]
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1])
