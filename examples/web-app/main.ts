/** Runs the operator on the cluster of the current kubeconfig, until Ctrl-C. */
import { app } from "./web-app.ts";

await app.run();
