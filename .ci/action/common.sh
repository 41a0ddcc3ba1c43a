# shellcheck shell=bash
# What the scripts of the GitHub Action share. Each script reads this file first. They
# take inputs from the environment only, and never evaluate them.
set -euo pipefail

# shellcheck disable=SC2034 # for the scripts
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd) # the action's files
place=${RUNNER_TEMP:?the runner sets it}/koda              # koda, its home and its projects
mkdir -p "$place"
export KODA_HOME=${KODA_HOME:-$place/home}

# fail MESSAGE [STATUS] ends the step with one line, which GitHub shows on the run's page.
fail() {
	local text=${1//%/%25}
	text=${text//$'\r'/ }
	printf '::error title=koda::%s\n' "${text//$'\n'/ }"
	exit "${2:-1}"
}

# random prints a word that no input can know.
random() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

# output NAME VALUE sets an output of the step; the value may have several lines.
output() {
	local end
	end=$(random)
	printf '%s<<%s\n%s\n%s\n' "$1" "$end" "$2" "$end" >>"$GITHUB_OUTPUT"
}
