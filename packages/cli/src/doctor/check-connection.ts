/** Whether the server answers, with which certificate, and at which time. */
import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isTransportError } from "@drover/client";
import type { ClusterAccess, PemSource } from "@drover/client";
import { errorText, findApiError, findCause, humanDuration } from "@drover/machinery";
import { problemCode } from "@drover/machinery/codes";
import type { ServerVersion } from "@drover/client";
import type { ExaminedCluster } from "./examined-cluster.ts";
import { ok } from "./finding.ts";
import type { Finding, Findings } from "./finding.ts";
import { probeCertificate } from "./probe-certificate.ts";

/** The findings, and the version if the server answered with it. */
export interface Answered {
  readonly findings: Findings;
  /** Whether an API server answers. */
  readonly isReached: boolean;
  readonly version: ServerVersion | undefined;
}

const skewMaxMs = 60_000;
/** Certificates are renewed well before. */
const soonMs = 7 * 24 * 3_600_000;

/** Asks for the version, which every user may read. @param requestMs - timeout of the request */
export async function checkConnection(cluster: ExaminedCluster, requestMs: number, signal: AbortSignal): Promise<Answered> {
  const { access } = cluster;
  const startedMs = performance.now();
  try {
    const version = await cluster.discovery.serverVersion({ signal });
    const tookMs = Math.round(performance.now() - startedMs);
    return {
      isReached: true,
      version,
      findings: [
        ok(
          "server",
          `${access.server} answers in ${tookMs} ms${access.proxyUrl === undefined ? "" : ", through the proxy of the kubeconfig"}`,
        ),
        ...insecure(access),
        ...validity("certificate", "the server's certificate", await dates(access, requestMs), Date.now()),
        clockFinding(cluster.skewMs()),
        ...(await clientCertificate(access)),
      ],
    };
  } catch (error) {
    signal.throwIfAborted();
    const code = problemCode(error);
    const presented = await dates(access, requestMs);
    const dated =
      presented === undefined ? "" : `; the certificate there is of ${presented.issuer}, valid until ${day(presented.notAfterMs)}`;
    // A refusal is an answer too: the next check says what is wrong with the credentials.
    const refusal = findApiError(error);
    if (refusal !== undefined)
      return { isReached: true, version: undefined, findings: [ok("server", `${access.server} answers with ${refusal.code}`)] };
    const says = findCause(error, isTransportError) === undefined ? "answers, but not as an API server" : "does not answer";
    return {
      isReached: false,
      version: undefined,
      findings: [
        {
          check: "server",
          verdict: "fail",
          says: `${access.server} ${says}: ${errorText(error)}${dated}`,
          fix:
            code === undefined
              ? `look at what answers there, such as a login page of a proxy: curl -ki ${access.server}/version`
              : `drover explain ${code} lists causes`,
          ...(code === undefined ? {} : { code }),
        },
      ],
    };
  }
}

/** Through a proxy it would be that of the proxy. */
const dates = async ({ server, proxyUrl }: ClusterAccess, requestMs: number): ReturnType<typeof probeCertificate> =>
  proxyUrl === undefined ? probeCertificate(server, requestMs) : undefined;

const insecure = ({ server, trust }: ClusterAccess): Findings => {
  if (server.startsWith("http:"))
    return [
      {
        check: "certificate",
        verdict: "warn",
        says: "the server is reached without TLS, so no credentials are sent",
      },
    ];
  return trust.insecure === true
    ? [
        {
          check: "certificate",
          verdict: "warn",
          says: "insecure-skip-tls-verify is set: any machine on the way can read your credentials",
          fix: "remove it, and set certificate-authority",
        },
      ]
    : [];
};

/** Returns a finding about the time in which a certificate is valid. */
export function validity(
  check: string,
  subject: string,
  found: { readonly notBeforeMs: number; readonly notAfterMs: number } | undefined,
  nowMs: number,
): Findings {
  if (found === undefined) return [];
  const { notBeforeMs, notAfterMs } = found;
  if (nowMs < notBeforeMs)
    return [
      { check, verdict: "fail", says: `${subject} is valid only from ${day(notBeforeMs)} on`, fix: "compare the clocks of both machines" },
    ];
  if (nowMs > notAfterMs) return [{ check, verdict: "fail", says: `${subject} expired on ${day(notAfterMs)}`, fix: "renew it" }];
  const left = notAfterMs - nowMs;
  if (left < soonMs) return [{ check, verdict: "warn", says: `${subject} expires in ${humanDuration(left)}`, fix: "renew it" }];
  return [ok(check, `${subject} is valid until ${day(notAfterMs)}`)];
}

/** Returns a finding about the difference of the clocks. */
export function clockFinding(skewMs: number | undefined): Finding {
  if (skewMs === undefined) return { check: "clock", verdict: "skip", says: "the server sends no Date header" };
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= skewMaxMs) return ok("clock", `differs by ${seconds} s from the server's`);
  return {
    check: "clock",
    verdict: "warn",
    says: `this machine's clock is ${humanDuration(seconds * 1000)} ${skewMs > 0 ? "behind" : "ahead of"} the server's`,
    fix: "set the clocks of both machines; tokens and certificates seem expired or not yet valid",
  };
}

async function clientCertificate({ credentials: { clientCertificate: pair } }: ClusterAccess): Promise<Findings> {
  if (pair === undefined) return [];
  try {
    const certificate = new X509Certificate(await pemOf(pair.certificate));
    const found = { notBeforeMs: Date.parse(certificate.validFrom), notAfterMs: Date.parse(certificate.validTo) };
    return validity("client certificate", "your client certificate", found, Date.now());
  } catch (error) {
    return [{ check: "client certificate", verdict: "warn", says: `cannot be read: ${errorText(error)}` }];
  }
}

const pemOf = async (source: PemSource): Promise<string> => (source.kind === "inline" ? source.pem : readFile(source.path, "utf8"));

const day = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 16).replace("T", " ") + " UTC";
