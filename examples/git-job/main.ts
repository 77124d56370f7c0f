/** Runs the operator where kubectl would go, until Ctrl-C. */
import { app } from "./git-job.ts";

await app.run();
