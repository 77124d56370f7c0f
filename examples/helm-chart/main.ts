/** Runs the operator where kubectl would go, until Ctrl-C. */
import { app } from "./helm-chart.ts";

await app.run();
