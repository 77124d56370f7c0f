/**
 * The protocol between a client and a credential plugin: `ExecCredential` of `client.authentication.k8s.io`. The request is
 * an environment variable, the response is standard output.
 *
 *     ExecConfig → execInfo → the program → parseExecCredential → token, certificate, expiry
 */
import { Secret, decodeJson, encodeJson, isJsonObject, parseTime } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { parseYaml } from "@drover/yaml";
import type { ExecConfig } from "../kubeconfig/cluster-access.ts";
import { CredentialError } from "./credential-error.ts";
import { withoutKeys } from "../encoding/pem.ts";

/** A plugin's response. Has a token, a certificate, or both. */
export interface ExecCredential {
  /** A bearer token. @default none */
  readonly token?: Secret;
  /** A client certificate and its key, both PEM. @default none */
  readonly pair?: { readonly certificate: string; readonly key: Secret };
  /** Milliseconds since 1970. @default valid until the server rejects it */
  readonly expiresAt?: number;
}

/** Environment variable that carries the request. */
export const execInfoVariable = "KUBERNETES_EXEC_INFO";

/** Maximum length of a response, in characters. */
const answerLengthMax = 1024 * 1024;

/** Returns the request, as the value of the environment variable. */
export function execInfo({ apiVersion, clusterInfo }: ExecConfig, { interactive }: { readonly interactive: boolean }): string {
  return encodeJson({
    kind: "ExecCredential",
    apiVersion,
    spec: { ...(clusterInfo === undefined ? {} : { cluster: clusterInfo.reveal() }), interactive },
  });
}

/** Parses the response, JSON or YAML. Throws a `CredentialError` that names the program and the problem, and quotes none of the output. */
export function parseExecCredential(stdout: string, { command, apiVersion }: Pick<ExecConfig, "command" | "apiVersion">): ExecCredential {
  const wrong = (what: string): CredentialError => new CredentialError("malformed", `the credential plugin ${command} ${what}`);
  if (stdout.trim() === "") throw wrong("printed nothing; it must print an ExecCredential to its standard output");
  if (stdout.length > answerLengthMax) throw wrong(`printed more than ${answerLengthMax} characters`);
  const answer = parsed(stdout);
  if (answer === undefined || !isJsonObject(answer)) throw wrong("printed something that is neither JSON nor YAML of an ExecCredential");
  if (answer["kind"] !== "ExecCredential") throw wrong('printed an object whose kind is not "ExecCredential"');
  if (answer["apiVersion"] !== apiVersion) {
    throw wrong(
      `is configured for apiVersion ${apiVersion} and answered with ${knownVersion(answer["apiVersion"])}; change apiVersion in the kubeconfig, or update the plugin`,
    );
  }
  const status = answer["status"];
  if (status === undefined || status === null) throw wrong("printed an ExecCredential without a status");
  if (!isJsonObject(status)) throw wrong("printed an ExecCredential whose status is not an object");
  return parseStatus(status, wrong);
}

function parseStatus(status: JsonObject, wrong: (what: string) => CredentialError): ExecCredential {
  const text = (field: string): string => {
    const value = status[field] ?? "";
    if (typeof value !== "string") throw wrong(`printed a status.${field} that is not text`);
    return value;
  };
  const [token, certificate, key, expiry] = [
    text("token"),
    text("clientCertificateData"),
    text("clientKeyData"),
    text("expirationTimestamp"),
  ];
  if ((certificate === "") !== (key === "")) {
    throw wrong(
      `printed ${certificate === "" ? "clientKeyData without clientCertificateData" : "clientCertificateData without clientKeyData"}; both are needed`,
    );
  }
  if (token === "" && certificate === "") throw wrong("printed neither a token nor a certificate with its key");
  return {
    ...(token === "" ? {} : { token: new Secret(token) }),
    ...(certificate === "" ? {} : { pair: { certificate: withoutKeys(certificate), key: new Secret(key) } }),
    ...(expiry === "" ? {} : { expiresAt: expiryOf(expiry, wrong) }),
  };
}

function expiryOf(text: string, wrong: (what: string) => CredentialError): number {
  try {
    return parseTime(text);
  } catch {
    throw wrong("printed a status.expirationTimestamp that is not a time in RFC 3339");
  }
}

function parsed(text: string): JsonValue | undefined {
  try {
    return text.trimStart().startsWith("{")
      ? decodeJson(text, { maxDepth: 100 })
      : parseYaml(text, { lengthMax: answerLengthMax, depthMax: 100 });
  } catch {
    // The parser's message may quote the text, which contains a secret.
    return undefined;
  }
}

/** The message quotes a version only if it looks like one: other text might be a misplaced secret. */
function knownVersion(value: JsonValue | undefined): string {
  if (value === undefined || value === null || value === "") return "none at all";
  return typeof value === "string" && /^client\.authentication\.k8s\.io\/v[0-9](?:(?:alpha|beta)[0-9])?$/.test(value) ? value : "another";
}
