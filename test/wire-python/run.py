"""Runs all tests and writes `[{name, outcome, detail}]` to the file named as argument."""

import json
import os
import sys
import unittest
import warnings


class Recorder(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.records = []

    def record(self, test, outcome, error=None):
        detail = self._exc_info_to_string(error, test) if error else None
        self.records.append({"name": test.id(), "outcome": outcome, "detail": detail})

    def addSuccess(self, test):
        self.record(test, "passed")

    def addError(self, test, err):
        self.record(test, "failed", err)

    def addFailure(self, test, err):
        self.record(test, "failed", err)


def main(report):
    warnings.simplefilter("ignore")
    suite = unittest.defaultTestLoader.discover(os.path.dirname(os.path.abspath(__file__)))
    recorder = Recorder()
    suite.run(recorder)
    with open(report, "w", encoding="utf-8") as file:
        json.dump(recorder.records, file)


main(sys.argv[1])
