/** Mistakes in kubeconfigs, and in the options of `connect`. */
import { connect } from "drover";
import type { Mistake } from "./mistake.ts";
import { untyped } from "./widget.ts";

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: object;
  readonly current?: string;
}

/** Connects with a kubeconfig in which some parts are replaced, and asks for the version of the server. */
const withConfig =
  ({ cluster, user, context, current = "here" }: Parts) =>
  async (): Promise<unknown> => {
    const text = JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": current,
      clusters: [{ name: "dev", cluster: cluster ?? { server: "https://127.0.0.1:1" } }],
      users: [{ name: "me", user: user ?? { token: "t" } }],
      contexts: [{ name: "here", context: context ?? { cluster: "dev", user: "me" } }],
    });
    const connection = await connect({ kubeconfig: { text }, transport: { retry: { retriesMax: 0 } } });
    try {
      return await connection.discovery.serverVersion();
    } finally {
      await connection.close();
    }
  };

export const kubeconfig: readonly Mistake[] = [
  { title: "a file that does not exist", act: () => connect({ kubeconfig: "/there/is/none" }), says: ["/there/is/none", "check the path"] },
  { title: "text that is not YAML", act: () => connect({ kubeconfig: { text: "a: [" } }), says: ["kubeconfig"] },
  { title: "a YAML file of another kind", act: () => connect({ kubeconfig: { text: "kind: Pod\napiVersion: v1\n" } }), says: ["kind"] },
  { title: "a context that does not exist", act: withConfig({ current: "there" }), says: ["there", "context"] },
  {
    title: "a context option that does not exist",
    act: () => connect({ kubeconfig: { text: "apiVersion: v1\nkind: Config\n" }, context: "prod" }),
    says: ["prod"],
  },
  { title: "a context without its cluster", act: withConfig({ context: { cluster: "prod", user: "me" } }), says: ["prod"] },
  { title: "a context without its user", act: withConfig({ context: { cluster: "dev", user: "you" } }), says: ["you"] },
  { title: "a server that is no URL", act: withConfig({ cluster: { server: "my cluster" } }), says: ["server", "my cluster"] },
  { title: "a server with another scheme", act: withConfig({ cluster: { server: "ftp://127.0.0.1" } }), says: ["server", "https"] },
  {
    title: "an authority that is not PEM",
    act: withConfig({ cluster: { server: "https://127.0.0.1:1", "certificate-authority-data": "bm8=" } }),
    says: ["certificate authority", "check certificate-authority"],
  },
  {
    title: "an authority that is not base64",
    act: withConfig({ cluster: { server: "https://127.0.0.1:1", "certificate-authority-data": "***" } }),
    says: ["certificate-authority-data"],
  },
  { title: "a certificate without its key", act: withConfig({ user: { "client-certificate-data": "bm8=" } }), says: ["client-key"] },
  {
    title: "a token file that does not exist",
    act: withConfig({ user: { tokenFile: "/there/is/no/token" } }),
    says: ["/there/is/no/token"],
  },
  {
    title: "a credential plugin that is not installed",
    act: withConfig({
      user: { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "there-is-no-such-plugin", interactiveMode: "Never" } },
    }),
    says: ["there-is-no-such-plugin"],
  },
  { title: "a server that does not run", act: withConfig({}), says: ["127.0.0.1:1", "refused"] },
  { title: "a misspelt option of connect", act: () => connect(untyped({ kubeConfig: "x" })), says: ["kubeConfig", "kubeconfig"] },
];
