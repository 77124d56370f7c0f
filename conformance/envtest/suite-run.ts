/**
 * Runs a suite of controller-runtime on the programs of a folder, as KUBEBUILDER_ASSETS names one, and reads its verdicts.
 *
 *     runSuite("pkg/client", { assets, … }) → { verdicts, tail }
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processesOf } from "./processes.ts";

/** What became of the specs of a suite. */
export interface Verdicts {
  readonly passed: number;
  /** Hash of the names of those that passed. */
  readonly passedNames: string;
  /** The names of the others, by their state. */
  readonly others: Readonly<Record<string, readonly string[]>>;
}

export interface SuiteRun {
  readonly verdicts: Verdicts;
  /** The last lines of the output. */
  readonly tail: string;
}

export interface SuiteRunOptions {
  /** Folder with kube-apiserver and etcd. */
  readonly assets: string;
  /** Folder with the compiled suites. */
  readonly suites: string;
  /** Some suites do not stop what they start. Ours ends by itself, the real programs must be ended. */
  readonly leftovers: "end" | "leave";
}

/** Specs with times of a second are tried again on a busy machine, on either side. */
const attempts = 3;
/** The real programs need more than envtest's twenty seconds on a busy machine. */
const patience = { KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: "120s", KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT: "120s" };

interface SpecReport {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
  readonly State: string;
}

/** Rejects if the suite does not report. */
export async function runSuite(name: string, { assets, suites, leftovers }: SuiteRunOptions): Promise<SuiteRun> {
  const folder = mkdtempSync(join(tmpdir(), "drover-suite-"));
  try {
    const [report, temporary] = [join(folder, "report.json"), join(folder, "tmp")];
    mkdirSync(temporary);
    const program = join(suites, `${name.replaceAll("/", "-")}.test`);
    const child = spawn(program, ["-ginkgo.no-color", `-ginkgo.flake-attempts=${attempts}`, `-ginkgo.json-report=${report}`], {
      cwd: join(suites, "module", name),
      env: { ...process.env, ...patience, KUBEBUILDER_ASSETS: assets, TMPDIR: temporary },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let tail = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => void (tail = (tail + text).slice(-20_000)));
    await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
    const [suite] = JSON.parse(readFileSync(report, "utf8")) as readonly { readonly SpecReports: readonly SpecReport[] }[];
    return { verdicts: verdictsOf(suite?.SpecReports ?? []), tail: tail.slice(-3000) };
  } finally {
    if (leftovers === "end") for (const { pid } of processesOf(folder)) process.kill(pid, "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

function verdictsOf(reports: readonly SpecReport[]): Verdicts {
  const specs = reports
    .filter(({ LeafNodeType, State }) => LeafNodeType === "It" || State !== "passed")
    .map(({ ContainerHierarchyTexts: texts, LeafNodeType: type, LeafNodeText: text, State: state }) => ({
      state,
      name: [...(texts ?? []), text === "" ? type : text].join(" › "),
    }));
  const namesOf = (wanted: string): readonly string[] => specs.flatMap(({ state, name }) => (state === wanted ? [name] : [])).toSorted();
  const passed = namesOf("passed");
  const states = [...new Set(specs.map(({ state }) => state))].filter((state) => state !== "passed").toSorted();
  return {
    passed: passed.length,
    passedNames: createHash("sha256").update(passed.join("\n")).digest("hex").slice(0, 16),
    others: Object.fromEntries(states.map((state) => [state, namesOf(state)])),
  };
}
