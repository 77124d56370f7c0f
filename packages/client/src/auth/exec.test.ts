import { Secret, formatTime } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { FileError } from "../host.ts";
import type { HostProgram, HostProgramResult } from "../host.ts";
import type { ExecConfig } from "../kubeconfig/cluster-access.ts";
import { execSource } from "./exec.ts";
import type { ExecSourceOptions } from "./exec.ts";
import { memoryHost } from "../testing/memory-host.ts";

const config: ExecConfig = {
  apiVersion: "client.authentication.k8s.io/v1",
  command: "login",
  args: new Secret(["--as", "me"]),
  env: [{ name: "REGION", value: new Secret("north") }],
  interactiveMode: "IfAvailable",
};
const printed = (status: object): HostProgramResult => ({
  exitCode: 0,
  stderr: "",
  stdout: JSON.stringify({ apiVersion: config.apiVersion, kind: "ExecCredential", status }),
});

type Run = (program: HostProgram, signal: AbortSignal, index: number) => HostProgramResult | Promise<HostProgramResult>;

function setUp(
  run: Run,
  {
    changes = {},
    isInteractive = false,
    ...options
  }: Partial<ExecSourceOptions> & { changes?: Partial<ExecConfig>; isInteractive?: boolean } = {},
) {
  const { clock, log } = testRuntime();
  let index = 0;
  const host = memoryHost({}, { isInteractive, run: (program, signal) => run(program, signal, index++) });
  const source = execSource(
    { ...config, ...changes },
    { host, clock, log, isPair: (certificate, key) => certificate === key.reveal().replace("key", "certificate"), ...options },
  );
  return { clock, log, host, source, header: async () => (await source.header({}))?.reveal() };
}

const numbered: Run = (_program, _signal, index) => printed({ token: `t${index}` });

describe("execSource", () => {
  it("runs the program without a shell, with its variables and KUBERNETES_EXEC_INFO (X14, S7)", async () => {
    const { host, header } = setUp(numbered);
    expect(await header()).toBe("Bearer t0");
    expect(host.runs[0]).toMatchObject({ command: "login", args: ["--as", "me"], stdin: "none", env: { REGION: "north" } });
    expect(JSON.parse(host.runs[0]?.env["KUBERNETES_EXEC_INFO"] ?? "")).toMatchObject({
      kind: "ExecCredential",
      spec: { interactive: false },
    });
  });

  it("runs once for ten concurrent calls, and keeps a credential without expiry", async () => {
    const { clock, host, header } = setUp(numbered);
    expect(new Set(await Promise.all(Array.from({ length: 10 }, header)))).toEqual(new Set(["Bearer t0"]));
    await clock.advance(365 * 86_400_000);
    expect(await header()).toBe("Bearer t0");
    expect(host.runs).toHaveLength(1);
  });

  it.each([
    ["Never", false, "none", false],
    ["Never", true, "none", false],
    ["IfAvailable", false, "none", false],
    ["IfAvailable", true, "inherit", true],
    ["Always", true, "inherit", true],
  ] as const)(
    "with interactiveMode %s and a terminal: %s, passes on stdin: %s",
    async (interactiveMode, isInteractive, stdin, interactive) => {
      const { host, header } = setUp(numbered, { changes: { interactiveMode }, isInteractive });
      await header();
      expect(host.runs[0]?.stdin).toBe(stdin);
      expect(JSON.parse(host.runs[0]?.env["KUBERNETES_EXEC_INFO"] ?? "")).toMatchObject({ spec: { interactive } });
    },
  );

  it("does not run a program that must prompt without a terminal (§9.36, X14, S7)", async () => {
    const { host, header } = setUp(numbered, { changes: { interactiveMode: "Always" } });
    await expect(header()).rejects.toThrow(
      "the credential plugin login must prompt the user (interactiveMode: Always), but standard input is not a terminal",
    );
    expect(host.runs).toHaveLength(0);
  });

  it("runs again ten seconds, or expirySkewMs, before the credential expires", async () => {
    for (const [options, skewMs] of [
      [{}, 10_000],
      [{ expirySkewMs: 3000 }, 3000],
    ] as const) {
      const { clock, header } = setUp(
        (_program, _signal, index) => printed({ token: `t${index}`, expirationTimestamp: formatTime(clock.now() + 60_000) }),
        options,
      );
      expect(await header()).toBe("Bearer t0");
      await clock.advance(60_000 - skewMs - 1);
      expect(await header()).toBe("Bearer t0");
      await clock.advance(1);
      expect(await header()).toBe("Bearer t1");
    }
  });

  it("replaces a short-lived credential after half of its lifetime, and an expired one at most once a second", async () => {
    const short = setUp((_program, _signal, index) =>
      printed({ token: `t${index}`, expirationTimestamp: formatTime(short.clock.now() + 4000) }),
    );
    await short.header();
    await short.clock.advance(1999);
    expect(await short.header()).toBe("Bearer t0");
    await short.clock.advance(1);
    expect(await short.header()).toBe("Bearer t1");

    const expired = setUp((_program, _signal, index) => printed({ token: `t${index}`, expirationTimestamp: "2001-01-01T00:00:00Z" }));
    expect([await expired.header(), await expired.header()]).toEqual(["Bearer t0", "Bearer t0"]);
    await expired.clock.advance(1000);
    expect(await expired.header()).toBe("Bearer t1");
  });

  it("uses the old credential until it expires when the program fails", async () => {
    const { clock, header } = setUp((_program, _signal, index) =>
      index === 0
        ? printed({ token: "t0", expirationTimestamp: formatTime(clock.now() + 60_000) })
        : { exitCode: 7, stdout: "", stderr: "" },
    );
    await header();
    await clock.advance(55_000);
    expect(await header()).toBe("Bearer t0");
    await clock.advance(5000);
    await expect(header()).rejects.toThrow("failed with exit code 7");
  });

  it("runs once after a rejection, and reports whether there is another credential", async () => {
    const { host, source } = setUp(numbered);
    const first = await source.header({});
    expect(await Promise.all([source.refused(first), source.refused(first)])).toEqual([true, true]);
    expect(await source.refused(first)).toBe(true);
    expect(host.runs).toHaveLength(2);
    expect((await source.header({}))?.reveal()).toBe("Bearer t1");
  });

  it("reports no other credential when the program prints the rejected one again, and backs off", async () => {
    const { clock, host, source } = setUp(() => printed({ token: "same" }));
    const header = await source.header({});
    for (let call = 0; call < 5; call++) expect(await source.refused(header)).toBe(false);
    expect(host.runs).toHaveLength(2);
    await clock.advance(1000);
    expect(await source.refused(header)).toBe(false);
    expect(host.runs).toHaveLength(3);
  });

  it("T4: kills a program that hangs, rejects all callers, and backs off before the next run (§9.36)", async () => {
    let stopped = 0;
    const { clock, host, source } = setUp(
      (_program, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => {
            stopped++;
            reject(signal.reason as Error);
          }),
        ),
    );
    const calls = Promise.allSettled([source.header({}), source.header({})]);
    await clock.advance(59_999);
    expect(stopped).toBe(0);
    await clock.advance(1);
    for (const outcome of await calls)
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { message: "the credential plugin login did not answer within 60 s and was stopped" },
      });
    expect(stopped).toBe(1);
    await expect(source.header({})).rejects.toThrow("did not answer");
    expect(host.runs).toHaveLength(1);
  });

  it("times out although a host ignores the signal; interactive programs get five minutes, others timeoutMs", async () => {
    for (const [options, limitMs] of [
      [{ isInteractive: true }, 300_000],
      [{ timeoutMs: 2000 }, 2000],
      [{ timeoutMs: 2000, isInteractive: true }, 2000],
    ] as const) {
      const { clock, source } = setUp(() => new Promise(() => undefined), options);
      let failed = false;
      const call = source.header({}).catch(() => (failed = true));
      await clock.advance(limitMs - 1);
      expect(failed).toBe(false);
      await clock.advance(1);
      await call;
      expect(failed).toBe(true);
    }
  });

  it("C3: starts no second program before the first has exited", async () => {
    const ends: (() => void)[] = [];
    const { clock, host, source } = setUp((_program, signal, index) =>
      index > 0 ? printed({ token: "t" }) : new Promise((_resolve, reject) => void ends.push(() => reject(signal.reason as Error))),
    );
    const first = source.header({}).catch(() => undefined);
    await clock.advance(60_000);
    await first;
    const second = source.header({}).catch(() => undefined);
    await second;
    await clock.advance(1000);
    const third = source.header({});
    await clock.advance(30_000);
    expect(host.runs).toHaveLength(1);
    ends[0]?.();
    expect((await third)?.reveal()).toBe("Bearer t");
    expect(host.runs).toHaveLength(2);
  });

  it("kills the program when the last caller has aborted", async () => {
    let signal: AbortSignal | undefined;
    const { clock, source } = setUp((_program, given) => {
      signal = given;
      return new Promise(() => undefined);
    });
    const controller = new AbortController();
    const call = source.header({ signal: controller.signal });
    await clock.advance(0);
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(signal?.aborted).toBe(true);
  });

  it("redacts the standard error of a failed program but keeps it for a terminal", async () => {
    const { log, source } = setUp(() => ({ exitCode: 1, stdout: "canary", stderr: "the password canary is wrong" }));
    const error = await source.header({}).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      reason: "unavailable",
      message: "the credential plugin login failed with exit code 1; run it by hand to see why",
    });
    expect((error as { output: { reveal(): string } }).output.reveal()).toBe("the password canary is wrong");
    expect(JSON.stringify(error) + log.lines.join()).not.toContain("canary");
  });

  it("prints the install hint of a missing program, at most ten times an hour", async () => {
    const { clock, source } = setUp(
      () => {
        throw new FileError("login", "missing", "no such program");
      },
      { changes: { installHint: "brew install login" } },
    );
    const message = async (): Promise<string> => {
      await clock.advance(30_000);
      return source.header({}).then(
        () => "",
        (error: Error) => error.message,
      );
    };
    for (let attempt = 0; attempt < 10; attempt++)
      expect(await message()).toMatch(
        /^the credential plugin login could not be started: it does not exist\n\nThe kubeconfig .*\n\nbrew install login$/s,
      );
    expect(await message()).toBe("the credential plugin login could not be started: it does not exist");
    await clock.advance(60 * 60_000);
    expect(await message()).toContain("brew install login");
  });

  it("reports another failure to start without a hint", async () => {
    const { source } = setUp(
      () => {
        throw new FileError("login", "denied", "canary");
      },
      { changes: { installHint: "brew install login" } },
    );
    await expect(source.header({})).rejects.toThrow(/^the credential plugin login could not be started: access to it is denied$/);
  });

  it("returns a certificate, and increments its generation when it changes, but not for a new token", async () => {
    const { clock, source } = setUp((_program, _signal, index) =>
      printed({
        token: `t${index}`,
        clientCertificateData: `certificate${Math.floor(index / 2)}`,
        clientKeyData: `key${Math.floor(index / 2)}`,
        expirationTimestamp: formatTime(clock.now() + 60_000),
      }),
    );
    expect(source.certificate()).toBeUndefined();
    const seen: [number | undefined, string | undefined, string | undefined][] = [];
    for (let run = 0; run < 4; run++) {
      await source.header({});
      const issued = source.certificate();
      seen.push([issued?.generation, issued?.certificate, issued?.key.reveal()]);
      await clock.advance(55_000);
    }
    expect(seen).toEqual([
      [0, "certificate0", "key0"],
      [0, "certificate0", "key0"],
      [1, "certificate1", "key1"],
      [1, "certificate1", "key1"],
    ]);
  });

  it("replaces a rejected certificate without a token, unless it is less than a second old", async () => {
    const { clock, host, source } = setUp((_program, _signal, index) =>
      printed({ clientCertificateData: `certificate${index}`, clientKeyData: `key${index}` }),
    );
    expect(await source.header({})).toBeUndefined();
    expect(await source.refused(undefined)).toBe(true);
    expect(host.runs).toHaveLength(1);
    await clock.advance(1000);
    expect(await source.refused(undefined)).toBe(true);
    expect(await source.refused(undefined)).toBe(true);
    expect(host.runs).toHaveLength(2);
    expect(source.certificate()).toMatchObject({ generation: 1, certificate: "certificate1" });
  });

  it("rejects a key that does not match the certificate", async () => {
    const { source } = setUp(() => printed({ clientCertificateData: "certificate1", clientKeyData: "key2" }));
    await expect(source.header({})).rejects.toThrow(
      "the credential plugin login printed a certificate and a key that cannot be read or do not match",
    );
  });

  it("rejects a token that a header cannot contain", async () => {
    await expect(setUp(() => printed({ token: "a\nb" })).header()).rejects.toThrow("the token of the credential plugin login contains");
  });

  it("throws at once for a configuration that cannot work", () => {
    expect(() => setUp(numbered, { changes: { command: "" } })).toThrow("has no command");
    expect(() =>
      setUp(numbered, { changes: { apiVersion: "client.authentication.k8s.io/v1alpha1" as "client.authentication.k8s.io/v1" } }),
    ).toThrow("unknown apiVersion");
    expect(() => setUp(numbered, { changes: { env: [{ name: "", value: new Secret("x") }] } })).toThrow("environment variable");
  });

  it("runs only allowed programs", async () => {
    expect(() => setUp(numbered, { allow: "none" })).toThrow("credential plugins are disabled");
    expect(() => setUp(numbered, { allow: ["other", "/bin/login"] })).toThrow("not on the list");
    expect(await setUp(numbered, { allow: ["login"] }).header()).toBe("Bearer t0");
    expect(await setUp(numbered, { allow: "all" }).header()).toBe("Bearer t0");
  });
});
