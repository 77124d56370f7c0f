import type { ProblemArea } from "../problem.ts";

export const tests: ProblemArea = {
  title: "Tests",
  problems: [
    {
      code: "DRV0701",
      title: "The operator does not become idle: a loop",
      means: "A key runs again and again because of writes. On a cluster it would go on forever.",
      causes: [
        "See DRV0401, DRV0402 and DRV0415: times, random values, counters, two controllers over one field.",
        "`{ after: 0 }` without a change.",
      ],
      find: ["The error lists the loop and the last runs; `t.why(Kind, name)` has all."],
      fixes: ["Write only what changes."],
    },
    {
      code: "DRV0702",
      title: "The operator does not become idle: keys keep failing",
      means: "Virtual time was advanced through the retries, and the keys still fail.",
      causes: ["A bug, a missing object that the test should create, or a fault that the test injected and did not end."],
      find: ["The error lists keys, attempts and reasons."],
      fixes: ["Cure the error.", 'Keys that recover later: `harness(app, { retryFor: "30m" })`.'],
    },
    {
      code: "DRV0703",
      title: "The operator does not become idle: it waits for something outside",
      means:
        "Nothing happens, and advancing the virtual clock does not help: a run waits for real time, a socket, a file, or a promise that never resolves.",
      causes: ["A real `setTimeout` or `fetch` in a reconcile.", "A fake that never answers."],
      find: ["The error lists the runs that have not ended with their last call."],
      fixes: ["Take the clock of the context; pass in a fake of the external system.", "Raise `waitMs`, if it merely needs longer."],
    },
    {
      code: "DRV0704",
      title: "The operator is not stable: a second run writes",
      means:
        "The harness ran all keys once more without any change, and something was written. On a cluster each resync would write, and wake every watcher.",
      causes: [
        "The result depends on time, random values, the number of runs, or the order of a list.",
        "A value is written in a form that the server normalises.",
      ],
      find: ["The error lists the writes with their fields."],
      fixes: ["Remove what differs from run to run.", "`settled({ twice: false })`, if the second write is intended."],
    },
    {
      code: "DRV0705",
      title: "The operator has ended",
      means: "The test waits for an operator that is not running any more.",
      causes: ["It failed: the cause of the error says why.", "The test stopped it."],
      find: ["The cause in the message."],
      fixes: ["Cure it, or start the operator again with the harness."],
    },
  ],
};
