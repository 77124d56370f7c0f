/** Checks a server's readiness like its clients: through the port, with a client certificate. */
import { once } from "node:events";
import { request } from "node:https";
import type { IncomingMessage } from "node:http";

/** The server and the client certificate. */
export interface AskReadyOptions {
  readonly url: string;
  /** All PEM. */
  readonly authorityPem: string;
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** Rejects unless the answer is "ok". */
export async function askReady({ url, authorityPem, certificatePem, privateKeyPem }: AskReadyOptions): Promise<void> {
  const asking = request(`${url}/readyz`, { agent: false, ca: authorityPem, cert: certificatePem, key: privateKeyPem }).end();
  const [response] = (await once(asking, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += String(chunk);
  if (response.statusCode !== 200 || text !== "ok") throw new Error(`${url}/readyz answered ${response.statusCode}: ${text}`);
}
