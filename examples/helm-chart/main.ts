/** Runs the operator on the cluster of the current kubeconfig, until Ctrl-C. */
import { app } from "./helm-chart.ts";

await app.run();
