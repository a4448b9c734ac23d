# SPDX-License-Identifier: Apache-2.0
# Completion of stillframe for bash: verbs, options and files. `source tools/completion.bash`; zsh takes it
# after `autoload -U bashcompinit && bashcompinit`.
_stillframe() {
  local word=${COMP_WORDS[COMP_CWORD]} tool=${COMP_WORDS[0]/#\~/$HOME} words=
  if ((COMP_CWORD == 1)) || [[ $COMP_CWORD == 2 && ${COMP_WORDS[1]} == help ]]; then
    words=$("$tool" --help | sed -n 's/^[a-z ]\{9\} \([a-z]\+\) .*/\1/p')
  elif [[ $COMP_CWORD == 2 && ${COMP_WORDS[1]} == config && $word != -* ]]; then
    words='check show schema'
  elif [[ $word == -* ]]; then
    words=$("$tool" "${COMP_WORDS[1]}" --help | grep -o -e '--[a-z-]*' | sort -u)
  fi
  COMPREPLY=()
  if [[ -n $words ]]; then
    while read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$word")
  fi
}
complete -o default -F _stillframe stillframe
