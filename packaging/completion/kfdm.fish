# SPDX-License-Identifier: GPL-2.0 OR MIT
# Completion for kfdm and kfdm-vm. Both are asked for their options: what their --help lists is offered.

function __kfdm_words
	set -l command (commandline -opc)[1]
	if test $command = kfdm
		for word in (commandline -opc)[2..]
			contains -- $word (__kfdm_names $command); and set -a command $word
		end
	end
	$command --help 2> /dev/null | string match -rag -- '(?:^|[ ,])(--?[a-zA-Z][a-z0-9-]*)' | sort -u
	__kfdm_names $command
end

function __kfdm_names
	$argv --help 2> /dev/null | awk '/^Subcommands:/ { on = 1; next } /^[^ ]/ { on = 0 }
		on && /^  [a-z]/ { sub(/^  /, ""); sub(/  .*/, ""); gsub(/, /, "\n"); print }'
end

complete -c kfdm -f -n 'not contains -- -- (commandline -opc)' -a '(__kfdm_words)'
complete -c kfdm -F
complete -c kfdm-vm -f -n 'not contains -- -- (commandline -opc)' -a '(__kfdm_words)'
