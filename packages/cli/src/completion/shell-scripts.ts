/** The scripts that teach a shell to ask `drover __complete`. */

/** The shells. */
export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

const bash = `# Completion of drover for bash: source <(drover completion bash)
_drover() {
  local answer directive line
  COMPREPLY=()
  answer=$(drover __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) || return 0
  directive=\${answer##*:}
  while IFS= read -r line; do
    case $line in :*|'') ;; *) COMPREPLY+=("\${line%%$'\\t'*}") ;; esac
  done <<< "$answer"
  if [ "\${#COMPREPLY[@]}" -eq 0 ]; then
    case $directive in
      0) compopt -o default 2>/dev/null ;;
      16) compopt -o dirnames 2>/dev/null ;;
    esac
  fi
}
complete -F _drover drover
`;

const zsh = `#compdef drover
# Completion of drover for zsh: source <(drover completion zsh)
_drover() {
  local -a lines candidates
  local line
  lines=("\${(@f)$(drover __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${(@)lines[1,-2]}"; do
    if [[ $line == *$'\\t'* ]]; then
      candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    else
      candidates+=("\${line//:/\\\\:}")
    fi
  done
  (( \${#candidates} )) && _describe drover candidates
  case \${lines[-1]} in
    :0) _files ;;
    :16) _files -/ ;;
  esac
}
compdef _drover drover
`;

const fish = `# Completion of drover for fish: drover completion fish | source
function __drover_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -q current[1]; or set current ""
    set -l lines (drover __complete $words[2..-1] $current 2>/dev/null)
    for line in $lines[1..-2]
        echo $line
    end
    switch "$lines[-1]"
        case ':0'
            __fish_complete_path $current
        case ':16'
            __fish_complete_directories $current
    end
end
complete -c drover -f -a '(__drover_complete)'
`;

const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };

/** Returns the script for a shell. */
export const shellScript = (shell: Shell): string => scripts[shell];
