/**
 * The debug endpoint in a pod, through the API server: as `kubectl port-forward`, but without a local port.
 *
 *     Connection.portForward → podEndpoint → Endpoint
 */
import { errorText, isForbidden, isNotFound } from "@drover/machinery";
import type { Connection } from "drover/client";
import { CommandError } from "../command-error.ts";
import { oneLine } from "../terminal-text.ts";
import type { Endpoint } from "./endpoint.ts";
import { tunnelStream } from "./tunnel-stream.ts";

/** Port of the endpoint in a pod, unless the operator was started with another one. */
const podPort = 4679;

/** Returns the endpoint. Sends nothing before it is opened. */
export function podEndpoint(
  { portForward }: Pick<Connection, "portForward">,
  { pod, namespace, port = podPort }: { readonly pod: string; readonly namespace: string; readonly port?: number | undefined },
): Endpoint {
  const name = `port ${port} of pod ${namespace}/${pod}`;
  return {
    name,
    address: `127.0.0.1:${port}`,
    open: async (signal) => {
      try {
        return tunnelStream(await portForward(pod, port, { namespace, signal }));
      } catch (error) {
        throw new CommandError(`cannot reach ${name}: ${oneLine(errorText(error))}${fixOf(error, { pod, namespace })}`, { cause: error });
      }
    },
  };
}

function fixOf(error: unknown, { pod, namespace }: { readonly pod: string; readonly namespace: string }): string {
  if (isForbidden(error)) return `\n  fix: your user needs the verbs get and create on pods/portforward in namespace ${namespace}`;
  return isNotFound(error) ? `\n  fix: the pod is gone, or its node has no port-forward: kubectl get pod ${pod} -n ${namespace}` : "";
}
