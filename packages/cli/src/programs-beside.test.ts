import { expect, it } from "vitest";
import { programName, runBeside } from "./programs-beside.ts";

const node = JSON.stringify(process.execPath);
const script = (text: string): string => `${node} -e ${JSON.stringify(text)}`;

async function reported(command: string, signal = new AbortController().signal): Promise<readonly string[]> {
  const lines: string[] = [];
  await runBeside(command, { kubeconfig: "/k", signal, report: ({ did }) => lines.push(did) });
  return lines;
}

it("programName is the name of the script", () => {
  expect(["node build/pod-node-logger.js operator", "./run.sh", "kubectl get pods -w", ""].map(programName)).toEqual([
    "pod-node-logger",
    "run",
    "kubectl",
    "program",
  ]);
});

it("runBeside sets KUBECONFIG, and reports the program's lines and its exit", async () => {
  expect(await reported(script("console.log(process.env.KUBECONFIG); console.error('no'); process.exitCode = 3"))).toEqual(
    expect.arrayContaining(["/k", "no", expect.stringMatching(/^has exited with code 3; to start it again: KUBECONFIG=\/k /)]),
  );
  expect(await reported("there-is-no-such-program")).toEqual(expect.arrayContaining([expect.stringContaining("has exited with code 127")]));
});

it("runBeside stops the program and its children with the signal", async () => {
  const ending = new AbortController();
  const lines: string[] = [];
  const running = runBeside(script("setInterval(() => {}, 1e6); console.log('up')"), {
    kubeconfig: "/k",
    signal: ending.signal,
    report: ({ did }) => {
      lines.push(did);
      ending.abort();
    },
  });
  await running;
  expect(lines).toEqual(["up"]);
  expect(await reported("true", AbortSignal.abort())).toEqual([]);
});
