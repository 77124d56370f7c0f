/** Runs the operator where kubectl would go, until Ctrl-C. */
import { app } from "./web-app.ts";

await app.run();
