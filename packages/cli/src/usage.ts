/** What `--help` prints. */

const drover = `drover: a Kubernetes of one's own

  drover up           starts an API server here and tells how to use kubectl with it
  drover up --help    what it can be told
  drover --version    the version of this program

It ends with 0 when all went well, with 1 when something could not be done, and with 2 when it does not understand what was typed.
`;

const up = `drover up [options]: starts an API server here, in memory, until Ctrl-C

  --port NUMBER        the port to listen on                               (default 0: any that is free)
  --host ADDRESS       the address to listen on                            (default 127.0.0.1: this machine only)
  --kubeconfig PATH    where to write the kubeconfig                       (default .drover/kubeconfig in this folder)
  --anonymous          requests without credentials may do everything, too (default: they are refused)

The kubeconfig is a file of its own: that of kubectl is never touched, and a file that drover did not write is not replaced. Whoever can read it
is the administrator; it is readable by you alone, and is removed when the server ends. Certificates are made anew at every start.
`;

/** The help about one command, or about all. */
export function usageOf(about: "drover" | "up"): string {
  return about === "up" ? up : drover;
}
