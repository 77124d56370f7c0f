import { describe, expect, it } from "vitest";
import { parseCommandLine } from "./command-line.ts";

const mistakeIn = (...words: string[]): string => {
  const command = parseCommandLine(words);
  return command.name === "mistake" ? command.message : `understood as ${command.name}`;
};

describe("parseCommandLine", () => {
  it("returns the command with its options", () => {
    const usual = {
      host: "127.0.0.1",
      port: 0,
      kubeconfig: undefined,
      anonymous: false,
      authorizationModes: ["Node", "RBAC"],
      enableAdmissionPlugins: [],
      disableAdmissionPlugins: [],
      nodes: 3,
      instant: false,
      apply: [],
      run: [],
      greeting: undefined,
      output: "text",
      audit: undefined,
      data: undefined,
    };
    expect(parseCommandLine(["up"])).toEqual({ name: "up", options: usual });
    expect(parseCommandLine(["up", "--port=6443", "--host", "::1", "--kubeconfig", "a/b", "--anonymous"])).toEqual({
      name: "up",
      options: { ...usual, host: "::1", port: 6443, kubeconfig: "a/b", anonymous: true },
    });
    expect(parseCommandLine(["up", "--nodes", "0", "--apply", "a", "--apply=b", "--run", "node c.js", "--json"])).toEqual({
      name: "up",
      options: { ...usual, nodes: 0, apply: ["a", "b"], run: ["node c.js"], output: "json" },
    });
    expect(parseCommandLine(["up", "--instant", "--quiet", "--greeting", "g"])).toEqual({
      name: "up",
      options: { ...usual, instant: true, output: "none", greeting: "g" },
    });
    expect(parseCommandLine(["up", "--data", "d"])).toEqual({ name: "up", options: { ...usual, data: "d" } });
    expect(parseCommandLine(["up", "--etcd", "http://a,http://b", "--etcd-prefix=/x", "--etcd-cafile", "ca"])).toEqual({
      name: "up",
      options: { ...usual, etcd: { servers: ["http://a", "http://b"], prefix: "/x", caFile: "ca" } },
    });
    expect(parseCommandLine(["up", "--etcd", "http://a", "--encryption-provider-config", "f"])).toEqual({
      name: "up",
      options: { ...usual, etcd: { servers: ["http://a"], encryptionConfigFile: "f" } },
    });
    expect(parseCommandLine(["up", "--host", "localhost"])).toEqual({ name: "up", options: usual });
    expect(parseCommandLine(["up", "--authorization-mode", "RBAC,Node"])).toEqual({
      name: "up",
      options: { ...usual, authorizationModes: ["RBAC", "Node"] },
    });
    expect(
      parseCommandLine(["up", "--enable-admission-plugins", "A, B", "--enable-admission-plugins=C", "--disable-admission-plugins", "D"]),
    ).toEqual({ name: "up", options: { ...usual, enableAdmissionPlugins: ["A", "B", "C"], disableAdmissionPlugins: ["D"] } });
  });

  it("returns the action of drover data, and refuses what has no effect", () => {
    expect(parseCommandLine(["data", "export", "d", "--file", "f"])).toEqual({
      name: "data",
      options: { action: "export", folder: "d", file: "f" },
    });
    expect(parseCommandLine(["data", "verify", "d"])).toEqual({
      name: "data",
      options: { action: "verify", folder: "d", file: undefined },
    });
    expect(parseCommandLine(["help", "data"])).toEqual({ name: "help", about: "data" });
    expect(mistakeIn("data")).toContain('drover data needs one of export, import, verify, compact, not ""');
    expect(mistakeIn("data", "verify")).toContain("drover data verify needs one folder");
    expect(mistakeIn("data", "verify", "a", "b")).toContain("needs one folder");
    expect(mistakeIn("data", "compact", "a", "--file", "f")).toContain("--file has no effect for drover data compact");
  });

  it("returns the options of an audit log, and refuses those without effect", () => {
    const audit = { policyFile: "p", logPath: "-", maxSizeMb: 100, maxBackups: 100, maxAgeDays: 366 };
    const log = ["up", "--audit-policy-file", "p", "--audit-log-path", "-"];
    expect(parseCommandLine(log)).toMatchObject({ options: { audit } });
    expect(parseCommandLine([...log, "--audit-log-maxsize=5", "--audit-log-maxbackup", "0", "--audit-log-maxage", "0"])).toMatchObject({
      options: { audit: { ...audit, maxSizeMb: 5, maxBackups: 0, maxAgeDays: 0 } },
    });
    expect(mistakeIn("up", "--audit-policy-file", "p")).toBe(
      "--audit-policy-file has no effect alone: an audit log needs --audit-policy-file and --audit-log-path",
    );
    expect(mistakeIn("up", "--audit-log-path", "p")).toContain("--audit-log-path has no effect alone");
    expect(mistakeIn("up", "--audit-log-maxage", "1")).toContain("--audit-log-maxage has no effect alone");
    expect(mistakeIn(...log, "--audit-log-maxage", "-1")).toBe('--audit-log-maxage needs a number from 0 to 999999, not "-1"');
  });

  it("returns help in general and per command", () => {
    for (const words of [["--help"], ["-h"], ["help"]]) expect(parseCommandLine(words)).toEqual({ name: "help", about: "drover" });
    for (const words of [
      ["up", "--help"],
      ["up", "-h"],
      ["help", "up"],
      ["up", "--port", "1", "--help"],
    ])
      expect(parseCommandLine(words)).toEqual({ name: "help", about: "up" });
    for (const words of [
      ["kinds", "--help"],
      ["help", "kinds"],
      ["kinds", "-h", "a.yaml"],
    ])
      expect(parseCommandLine(words)).toEqual({ name: "help", about: "kinds" });
    expect(parseCommandLine(["--version"])).toEqual({ name: "version", of: "drover" });
    expect(parseCommandLine(["apiserver", "--version"])).toEqual({ name: "version", of: "Kubernetes" });
    expect(parseCommandLine(["envtest", "etcd", "--version"])).toEqual({ name: "version", of: "etcd" });
    expect(parseCommandLine(["apiserver", "--oidc-issuer-url=a", "--help"])).toMatchObject({ name: "mistake" });
    expect(parseCommandLine(["apiserver", "--help"])).toEqual({ name: "help", about: "apiserver" });
    for (const words of [
      ["envtest", "--help"],
      ["envtest", "path", "-h"],
      ["help", "envtest"],
    ])
      expect(parseCommandLine(words)).toEqual({ name: "help", about: "envtest" });
    expect(parseCommandLine(["envtest", "etcd", "-h"])).toEqual({ name: "help", about: "envtest etcd" });
  });

  it("reads drover envtest and drover apiserver", () => {
    expect(parseCommandLine(["envtest", "path"])).toEqual({ name: "envtest path" });
    expect(parseCommandLine(["envtest", "etcd", "--data-dir=/a"])).toMatchObject({ name: "envtest etcd", options: { folder: "/a" } });
    expect(parseCommandLine(["apiserver", "--secure-port=1"])).toMatchObject({ name: "apiserver", options: { port: 1 } });
    expect(
      [["envtest"], ["envtest", "paths"], ["envtest", "path", "x"], ["envtest", "etcd", "--x"], ["apiserver", "--x"]].map((words) =>
        parseCommandLine(words),
      ),
    ).toEqual([
      { name: "mistake", message: 'drover envtest needs one of path, etcd, not ""; see drover envtest --help' },
      { name: "mistake", message: 'drover envtest needs one of path, etcd, not "paths"; see drover envtest --help' },
      { name: "mistake", message: 'drover envtest path takes no arguments, not "x"' },
      {
        name: "mistake",
        message: "drover envtest etcd has no flag --x; remove it, or see drover envtest etcd --help for the flags that it has",
      },
      { name: "mistake", message: "drover apiserver has no flag --x; remove it, or see drover apiserver --help for the flags that it has" },
    ]);
  });

  it("returns the files, groups and folder of drover kinds", () => {
    expect(parseCommandLine(["kinds", "a.yaml", "b.yaml", "--group", "x.example.com", "--group=y.example.com", "--out", "src"])).toEqual({
      name: "kinds",
      options: { files: ["a.yaml", "b.yaml"], cluster: undefined, groups: ["x.example.com", "y.example.com"], out: "src" },
    });
    expect(parseCommandLine(["kinds", "--from-cluster", "--kubeconfig", "k", "--context", "c"])).toEqual({
      name: "kinds",
      options: { files: [], cluster: { kubeconfig: "k", context: "c" }, groups: [], out: undefined },
    });
    expect(parseCommandLine(["kinds", "--", "--odd.yaml"])).toEqual({
      name: "kinds",
      options: { files: ["--odd.yaml"], cluster: undefined, groups: [], out: undefined },
    });
  });

  it("reports contradicting options of drover kinds", () => {
    expect(mistakeIn("kinds")).toBe("drover kinds needs files with CustomResourceDefinitions, or --from-cluster; see drover kinds --help");
    expect(mistakeIn("kinds", "a.yaml", "--from-cluster")).toBe('drover kinds takes files or --from-cluster, not both: "a.yaml"');
    expect(mistakeIn("kinds", "a.yaml", "--context", "c")).toContain("--context selects a cluster, but files are given");
    expect(mistakeIn("kinds", "--from-clutser")).toBe(
      'drover kinds has no option "--from-clutser"; it has --from-cluster, --kubeconfig, --context, --group, --out, --help',
    );
    expect(mistakeIn("kinds", "a.yaml", "--out")).toBe("--out needs a value: --out=…; see drover kinds --help");
  });

  it("returns the definitions and the cluster of drover migrate, and reports what is missing", () => {
    const usual = { definitions: [], isDryRun: false, chunkSize: 500, kubeconfig: undefined, context: undefined };
    expect(parseCommandLine(["migrate", "--all"])).toEqual({ name: "migrate", options: usual });
    expect(
      parseCommandLine(["migrate", "a.ex.io", "b.ex.io", "--dry-run", "--chunk-size=50", "--kubeconfig", "k", "--context", "c"]),
    ).toEqual({
      name: "migrate",
      options: { definitions: ["a.ex.io", "b.ex.io"], isDryRun: true, chunkSize: 50, kubeconfig: "k", context: "c" },
    });
    for (const words of [
      ["migrate", "--help"],
      ["help", "migrate"],
    ])
      expect(parseCommandLine(words)).toEqual({ name: "help", about: "migrate" });
    expect(mistakeIn("migrate")).toBe(
      "drover migrate needs names of definitions such as widgets.shop.example.com, or --all; see drover migrate --help",
    );
    expect(mistakeIn("migrate", "a.ex.io", "--all")).toBe('drover migrate takes names of definitions or --all, not both: "a.ex.io"');
    for (const name of ["widgets", "widgets.", ".ex.io", "a.ex.io/b", "../a.ex.io"])
      expect(mistakeIn("migrate", name)).toContain(`needs names such as widgets.shop.example.com, not "${name}"`);
    for (const size of ["0", "-1", "1e3", "1000000"])
      expect(mistakeIn("migrate", "--all", `--chunk-size=${size}`)).toBe(`--chunk-size needs a number from 1 to 999999, not "${size}"`);
  });

  it("reports mistakes with a fix", () => {
    expect(mistakeIn()).toContain("drover up starts");
    expect(mistakeIn("start")).toBe('unknown command "start"; see drover --help');
    expect(mistakeIn("--up")).toBe('unknown option "--up"; see drover --help');
    expect(mistakeIn("up", "now")).toBe('drover up takes only options, not "now"; see drover up --help');
    expect(mistakeIn("up", "--prot", "1")).toBe(
      'drover up has no option "--prot"; it has --host, --port, --kubeconfig, --anonymous, --authorization-mode, --allow-everyone, --enable-admission-plugins, --disable-admission-plugins, --nodes, --instant, --apply, --run, --greeting, --json, --quiet, --audit-policy-file, --audit-log-path, --audit-log-maxsize, --audit-log-maxbackup, --audit-log-maxage, --data, --etcd, --etcd-prefix, --etcd-cafile, --etcd-certfile, --etcd-keyfile, --encryption-provider-config, --help',
    );
    expect(mistakeIn("up", "--etcd", ",")).toContain("--etcd needs the address of an etcd, such as http://127.0.0.1:2379");
    expect(mistakeIn("up", "--etcd", "http://a", "--data", "d")).toContain("--etcd and --data exclude each other");
    expect(mistakeIn("up", "--etcd-prefix", "/x")).toBe("--etcd-prefix has no effect without --etcd");
    expect(mistakeIn("up", "-p")).toContain('no option "-p"');
    expect(mistakeIn("up", "--__proto__")).toContain('no option "--__proto__"');
    expect(mistakeIn("up", "--constructor=1")).toContain('no option "--constructor"');
  });

  it("reports invalid values", () => {
    for (const port of ["65536", "-1", "http", "1.5", "0x1", "1e3", " 1"])
      expect(mistakeIn("up", `--port=${port}`)).toContain(`--port needs a number from 0 to 65535, not "${port}"`);
    expect(mistakeIn("up", "--host=example.com")).toContain('--host needs an address such as 127.0.0.1 or ::1, not "example.com"');
    for (const nodes of ["251", "-1", "many"])
      expect(mistakeIn("up", `--nodes=${nodes}`)).toBe(`--nodes needs a number from 0 to 250, not "${nodes}"`);
    expect(mistakeIn("up", "--json", "--quiet")).toContain("exclude each other");
    expect(mistakeIn("up", "--port")).toContain("--port needs a value");
    for (const modes of ["rbac", "RBAC,", "RBAC,RBAC", "Webhook"])
      expect(mistakeIn("up", `--authorization-mode=${modes}`)).toBe(
        `--authorization-mode needs some of AlwaysAllow, Node, RBAC, separated by commas, not "${modes}"`,
      );
    expect(mistakeIn("up", "--kubeconfig", "--anonymous")).toContain("--kubeconfig needs a value");
    expect(mistakeIn("up", "--kubeconfig=")).toContain("--kubeconfig needs a value");
    expect(mistakeIn("up", "--anonymous", "--host", "0.0.0.0")).toBe(
      "--anonymous with --host 0.0.0.0 lets everyone on your network read and change everything; use --host 127.0.0.1, or add --allow-everyone if you mean it",
    );
    expect(parseCommandLine(["up", "--anonymous", "--host", "::", "--allow-everyone"])).toMatchObject({
      options: { anonymous: true, host: "::" },
    });
    expect(mistakeIn("up", "--anonymous=no")).toBe('--anonymous takes no value, but got "no"');
  });
});
