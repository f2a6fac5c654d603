# Sourced by the other scripts: moves to the repository root and gives them `die` and `stage`.
# They rely on `set -e`: no command whose failure matters stands left of && or ||.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

die() {
  echo "${0##*/}: $*" >&2
  exit 1
}

# stage NAME COMMAND...: runs the command under a heading and prints the time it took.
current_stage=
trap '[[ $? == 0 || -z $current_stage ]] || echo "${0##*/}: $current_stage failed" >&2' EXIT
stage() {
  local start=$SECONDS
  current_stage=$1
  shift
  echo
  echo "== $current_stage"
  "$@"
  echo "-- $current_stage: $((SECONDS - start)) s"
  current_stage=
}
