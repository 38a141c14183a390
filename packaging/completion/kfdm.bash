# SPDX-License-Identifier: GPL-2.0 OR MIT
# Completion for kfdm and kfdm-vm. Both are asked for their options: what their --help lists is offered.

_kfdm_options() { "$@" --help 2> /dev/null | grep -oE '(^|[ ,])--?[a-zA-Z][a-z0-9-]*' | tr -d ' ,' | sort -u; }
_kfdm_subcommands() {
	"$@" --help 2> /dev/null | awk '/^Subcommands:/ { on = 1; next } /^[^ ]/ { on = 0 }
		on && /^  [a-z]/ { sub(/^  /, ""); sub(/  .*/, ""); gsub(/,/, ""); print }'
}

_kfdm() {
	local word=${COMP_WORDS[COMP_CWORD]} command=("${COMP_WORDS[0]}") i
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		[ "${COMP_WORDS[i]}" != -- ] || { COMPREPLY=($(compgen -c -f -- "$word")); return; }
		case " $(_kfdm_subcommands "${command[@]}" | tr '\n' ' ') " in *" ${COMP_WORDS[i]} "*) command+=("${COMP_WORDS[i]}") ;; esac
	done
	case $word in
	-*) COMPREPLY=($(compgen -W "$(_kfdm_options "${command[@]}")" -- "$word")) ;;
	*) COMPREPLY=($(compgen -W "$(_kfdm_subcommands "${command[@]}")" -- "$word")) ;;
	esac
	[ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))
}

_kfdm_vm() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} i
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		[ "${COMP_WORDS[i]}" != -- ] || { COMPREPLY=($(compgen -c -f -- "$word")); return; }
	done
	case $before in
	--accel) COMPREPLY=($(compgen -W "auto uml kvm qemu tcg" -- "$word")) ;;
	--kernel) COMPREPLY=($(compgen -W "debug 7.2" -- "$word")) ;;
	--partition) COMPREPLY=($(compgen -W "spx dpx tpx qpx cpx" -- "$word")) ;;
	--topology) COMPREPLY=($(compgen -W "pcie xgmi xgmi-cpu" -- "$word")) ;;
	--sched-policy) COMPREPLY=($(compgen -W "0 1 2" -- "$word")) ;;
	--root) COMPREPLY=($(compgen -d -- "$word")) ;;
	*) COMPREPLY=($(compgen -W "$(_kfdm_options "${COMP_WORDS[0]}") --" -- "$word")) ;;
	esac
}

complete -o filenames -F _kfdm kfdm
complete -o filenames -F _kfdm_vm kfdm-vm
