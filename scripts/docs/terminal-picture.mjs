/**
 * Draws docs/pictures/start.svg from a real session: `npm start` in one terminal of tmux, kubectl in another. Needs tmux and kubectl:
 *
 *     node scripts/docs/terminal-picture.mjs
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const columns = 132;
const server = "drover-picture";

const tmux = (...args) => {
  const { status, stdout, stderr } = spawnSync("tmux", ["-L", server, ...args], { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`tmux ${args.join(" ")}: ${stderr}`);
  return stdout;
};
const sleep = (ms) => new Promise((resolve) => void setTimeout(resolve, ms));
const type = (window, line) => tmux("send-keys", "-t", window, "-l", line) + tmux("send-keys", "-t", window, "Enter");
/** All lines of a window with their colours, wrapped lines joined. */
const linesOf = (window) => tmux("capture-pane", "-e", "-p", "-J", "-S", "-", "-t", window).trimEnd().split("\n");
const until = async (window, text) => {
  for (let tries = 0; tries < 240; tries++, await sleep(250)) if (linesOf(window).join("\n").includes(text)) return;
  throw new Error(`"${text}" did not appear in:\n${linesOf(window).join("\n")}`);
};

const shell = ["env", "PS1=$ ", "HISTFILE=/dev/null", "bash", "--norc", "--noprofile"];

async function record() {
  tmux("new-session", "-d", "-s", "start", "-x", String(columns), "-y", "60", ...shell);
  try {
    type("start", "npm start");
    await until("start", "Ctrl-C");
    tmux("new-session", "-d", "-s", "kubectl", "-x", String(columns), "-y", "60", ...shell);
    type("kubectl", `export KUBECONFIG=$PWD/.drover/kubeconfig; kubectl rollout status deployment frontend; clear`);
    await sleep(4000);
    for (const line of ["kubectl get pods", "kubectl apply -f examples/frontend-config.yaml"]) {
      type("kubectl", line);
      await sleep(1500);
    }
    await sleep(4000);
    type("kubectl", "kubectl get pods");
    await sleep(2000);
    return { start: linesOf("start"), kubectl: linesOf("kubectl") };
  } finally {
    tmux("send-keys", "-t", "start", "C-c");
    await sleep(3000);
    tmux("kill-server");
  }
}

const colours = new Map([
  [31, "#f87171"],
  [32, "#86efac"],
  [33, "#fcd34d"],
  [34, "#93c5fd"],
  [35, "#d8b4fe"],
  [36, "#67e8f9"],
]);

/** One line as pieces of text with their column and style. */
function pieces(line, style) {
  let column = 0;
  return line.split(/(\u001B\[[\d;]*m)/).flatMap((part) => {
    if (part.startsWith("\u001B")) {
      for (const code of part.slice(2, -1).split(";").map(Number)) {
        if (code === 0) Object.assign(style, { dim: false, colour: undefined });
        else if (code === 2) style.dim = true;
        else if (code === 22) style.dim = false;
        else if (code === 39) style.colour = undefined;
        else if (colours.has(code)) style.colour = colours.get(code);
      }
      return [];
    }
    const room = Math.max(0, columns - column);
    const text = part.length <= room ? part : room === 0 ? "" : `${part.slice(0, room - 1)}…`;
    const piece = { column, text, ...style };
    column += part.length;
    return text === "" ? [] : [piece];
  });
}

const [charWidth, lineHeight, fontSize, margin, bar] = [7.25, 18, 12, 14, 26];
/** Spaces that no viewer of SVG collapses. */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(" ", "\u00A0");

/** One terminal window; returns its SVG and the y below it. */
function terminal(title, lines, top) {
  const width = columns * charWidth + 2 * margin;
  const height = bar + lines.length * lineHeight + margin;
  const style = { dim: false, colour: undefined };
  const rows = lines.map((line, index) => {
    const y = top + bar + (index + 1) * lineHeight - 3;
    return pieces(line, style)
      .map(({ column, text, dim, colour }) => {
        const fill = `${colour === undefined ? "" : ` fill="${colour}"`}${dim ? ' opacity="0.6"' : ""}`;
        return `<text x="${(margin + column * charWidth).toFixed(1)}" y="${y}"${fill} textLength="${(text.length * charWidth).toFixed(1)}">${escaped(text)}</text>`;
      })
      .join("");
  });
  const dots = ["#f87171", "#fcd34d", "#86efac"].map(
    (fill, index) => `<circle cx="${18 + index * 16}" cy="${top + bar / 2}" r="4.5" fill="${fill}"/>`,
  );
  const frame = `<rect x="0.5" y="${top}" width="${width - 1}" height="${height}" rx="8" fill="#111827" stroke="#374151"/>`;
  const name = `<text x="${width / 2}" y="${top + 17}" text-anchor="middle" opacity="0.6">${escaped(title)}</text>`;
  return { svg: [frame, ...dots, name, ...rows].join("\n"), bottom: top + height, width };
}

const { start, kubectl } = await record();
const from = start.findIndex((line) => line.includes("changed ConfigMap default/frontend-config"));
const story = start.slice(from, from + 14);
const above = terminal(
  "kubectl",
  kubectl.filter((line) => line.trim() !== "$"),
  0.5,
);
const below = terminal("npm start", story, above.bottom + 12);
const [width, height] = [below.width, below.bottom + 1];
mkdirSync(join(root, "docs", "pictures"), { recursive: true });
writeFileSync(
  join(root, "docs", "pictures", "start.svg"),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${fontSize}" fill="#e5e7eb">
<title>Two terminals: kubectl changes a ConfigMap; drover up prints which controller did what, and why</title>
${above.svg}
${below.svg}
</svg>
`,
);
