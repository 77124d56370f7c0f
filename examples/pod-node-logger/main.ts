import { runExample } from "../run-example.ts";
import { podNodeLogger } from "./classic.ts";
import { podNodeOperator } from "./operator.ts";

await runExample({ classic: podNodeLogger, operator: podNodeOperator });
