/** What `--help` prints. */
import type { HelpTopic } from "./command-line.ts";

const drover = `drover: a Kubernetes of one's own

  drover up           starts a Kubernetes here and tells how to use kubectl with it
  drover up --help    what it can be told
  drover kinds        writes TypeScript for custom resources, from their definitions
  drover kinds --help what it can be told
  drover --version    the version of this program

It ends with 0 when all went well, with 1 when something could not be done, and with 2 when it does not understand what was typed.
`;

const up = `drover up [options]: starts a Kubernetes here, in memory, until Ctrl-C: an API server, its controllers, a scheduler and simulated nodes

  --nodes NUMBER       how many nodes there are                            (default 3)
  --instant            pods start, stop and finish at once                 (default: after a second or two)
  --apply PATH         objects to begin with: a file or a folder of YAML and JSON; may be given several times
  --run COMMAND        a program to run beside it, with its kubeconfig; may be given several times
  --json               tell what happens as a line of JSON each            (default: lines for people)
  --quiet              do not tell what happens
  --greeting FILE      lines to show when it is ready: what to try
  --port NUMBER        the port to listen on                               (default 0: any that is free)
  --host ADDRESS       the address to listen on                            (default 127.0.0.1: this machine only)
  --kubeconfig PATH    where to write the kubeconfig                       (default .drover/kubeconfig in this folder)
  --anonymous          requests without credentials may do everything, too (default: they are refused)

The kubeconfig of kubectl itself is never touched, and a file that drover did not write is not replaced. Whoever can read it
is the administrator; it is readable by you alone, and is removed when the server ends. Certificates are made anew at every start.
`;

const kinds = `drover kinds FILE… [options]: writes TypeScript for custom resources: an interface and a descriptor for each kind

  --from-cluster       take the definitions of a cluster instead of files
  --kubeconfig PATH    the kubeconfig of that cluster                      (default: as kubectl finds it)
  --context NAME       the context of that kubeconfig                      (default: its current one)
  --group GROUP        only kinds of this group; may be given several times (default: all)
  --out FOLDER         write FOLDER/GROUP/VERSION.ts                       (default: the standard output)

Files are YAML or JSON with CustomResourceDefinitions of apiextensions.k8s.io/v1; other objects in them are passed over. Every version that is
served gets a file, which needs the package drover. A file that drover did not write is not replaced.
`;

const topics: Readonly<Record<HelpTopic, string>> = { drover, up, kinds };

/** The help about one command, or about all. */
export function usageOf(about: HelpTopic): string {
  return topics[about];
}
