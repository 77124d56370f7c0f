import { runExample } from "../run-example.ts";
import { configMapWatch } from "./classic.ts";
import { configMapOperator } from "./operator.ts";

await runExample({ classic: configMapWatch, operator: configMapOperator });
