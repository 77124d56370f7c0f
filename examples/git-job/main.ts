/** Runs the operator on the cluster of the current kubeconfig, until Ctrl-C. */
import { app } from "./git-job.ts";

await app.run();
