/** How a chart looks: one style sheet, in the picture itself or in the page that holds it. */

/** Scoped to `.nudgechart-chart`. A page may set the custom properties itself. */
export const chartStyle = `
.nudgechart-chart {
  --paper: #ffffff; --edge: #d8dee6; --box: #f4f7fa; --line: #8593a3; --ink: #1a2129; --soft: #55606d;
  --way: #66727f; --event: #0b4f9e; --guard: #7a4a00; --effect: #a3154f; --lit: #0b5bd3; --glow: #dcebff; --taken: #a3154f;
  font-family: ui-sans-serif, system-ui, -apple-system, "Segoe UI", "Liberation Sans", Arial, sans-serif;
}
@media (prefers-color-scheme: dark) {
  .nudgechart-chart {
    --paper: #11161c; --edge: #2c3642; --box: #1a222b; --line: #5d6c7c; --ink: #e8edf2; --soft: #a9b5c1;
    --way: #8d9aa8; --event: #8fc1ff; --guard: #e6b566; --effect: #ff8fb8; --lit: #6cb0ff; --glow: #17304d; --taken: #ff8fb8;
  }
}
.nudgechart-chart text { fill: var(--ink); white-space: pre; unicode-bidi: isolate; }
.nudgechart-chart .title, .nudgechart-chart .name, .nudgechart-chart .event, .nudgechart-chart .guard,
.nudgechart-chart .action, .nudgechart-chart .effect {
  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
}
.nudgechart-chart .title { font-size: 17px; font-weight: 700; }
.nudgechart-chart .about { font-size: 12px; fill: var(--soft); }
.nudgechart-chart .name { font-size: 14px; font-weight: 700; }
.nudgechart-chart .text, .nudgechart-chart .tags { font-size: 11px; fill: var(--soft); }
.nudgechart-chart .tags { font-style: italic; }
.nudgechart-chart .event { font-size: 12px; fill: var(--event); }
.nudgechart-chart .guard { font-size: 12px; fill: var(--guard); }
.nudgechart-chart .action { font-size: 11px; fill: var(--soft); }
.nudgechart-chart .effect { font-size: 11px; fill: var(--effect); font-weight: 700; }
.nudgechart-chart .paper { fill: var(--paper); stroke: var(--edge); }
.nudgechart-chart .box { fill: var(--box); stroke: var(--line); stroke-width: 1.25; }
.nudgechart-chart .inner { fill: none; stroke: var(--line); }
.nudgechart-chart .anywhere .box { stroke-dasharray: 5 4; }
.nudgechart-chart .frame { fill: none; stroke: var(--line); stroke-width: 1.25; }
.nudgechart-chart .rule { fill: none; stroke: var(--line); stroke-width: 0.75; }
.nudgechart-chart .dot { fill: var(--ink); }
.nudgechart-chart .way { fill: none; stroke: var(--way); stroke-width: 1.5; }
.nudgechart-chart .region .way { stroke-dasharray: 2 4; }
.nudgechart-chart .head { fill: var(--way); }
.nudgechart-chart .mark { display: none; fill: var(--lit); }
.nudgechart-chart .state.lit .box { fill: var(--glow); stroke: var(--lit); stroke-width: 3.5; }
.nudgechart-chart .state.lit .mark { display: inline; }
.nudgechart-chart .transition.taken text { font-weight: 700; text-decoration: underline; }
.nudgechart-chart .arrow:has(.taken) .way { stroke: var(--taken); stroke-width: 3.5; }
.nudgechart-chart .arrow:has(.taken) .head { fill: var(--taken); stroke: var(--taken); stroke-width: 2; }
`;
