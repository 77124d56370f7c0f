/**
 * The programs of the folder that KUBEBUILDER_ASSETS names: shell scripts that start this command.
 *
 *     { node, command } → dropInFiles → kube-apiserver, etcd, kubectl
 */

/** The two parts of this command, and the texts that the programs print for --help. */
export interface DropInCommand {
  /** Absolute path of Node. */
  readonly node: string;
  /** Absolute path of the command's first file. */
  readonly command: string;
  readonly help: { readonly apiserver: string; readonly etcd: string };
}

/** A word of a shell, whatever characters it has. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const mark = "# written by drover envtest path; changes are undone by its next run";

const end = "END OF HELP";

/** Returns the text of each file, by name. */
export function dropInFiles({ node, command, help }: DropInCommand): ReadonlyMap<string, string> {
  // envtest asks for the help before every start, and Node would need longer to start than to print it.
  const start = (words: string, text: string): string => `#!/bin/sh
${mark}
if [ "$*" = --help ]; then
cat <<'${end}'
${text.trimEnd()}
${end}
exit
fi
node=${quoted(node)}
command=${quoted(command)}
if ! [ -x "$node" ]; then node=$(command -v node) || { echo "drover: there is no Node at ${shown(node)} any more; run drover envtest path again" >&2; exit 1; }; fi
if ! [ -f "$command" ]; then echo "drover: ${shown(command)} has been removed; install drover and run drover envtest path again" >&2; exit 1; fi
exec "$node" "$command" ${words} "$@"
`;
  return new Map([
    ["kube-apiserver", start('apiserver "--exit-with-parent=$PPID"', help.apiserver)],
    ["etcd", start('envtest etcd "--exit-with-parent=$PPID"', help.etcd)],
    ["kubectl", kubectl],
  ]);
}

/** A path within double quotes of a shell. */
const shown = (path: string): string => path.replaceAll(/[\\"$`]/g, String.raw`\$&`);

/** Starts the first kubectl on PATH that is not such a file itself. */
const kubectl = `#!/bin/sh
${mark}
set -f
IFS=:
for folder in $PATH; do
  found=\${folder:-.}/kubectl
  if [ -f "$found" ] && [ -x "$found" ]; then
    case $(head -c 200 "$found" | tr -d '\\000') in
      *"drover envtest"*) ;;
      *) unset IFS; exec "$found" "$@" ;;
    esac
  fi
done
echo "kubectl: drover has no kubectl of its own, and there is none on PATH: install one, https://kubernetes.io/docs/tasks/tools" >&2
exit 127
`;
