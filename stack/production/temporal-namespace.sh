#!/bin/sh
# Makes the namespace of all runs where there is none; runs at each start.
set -eu
temporal operator namespace describe --namespace default >/dev/null 2>&1 ||
  temporal operator namespace create --namespace default --retention 168h
