/** How the live view's pictures are drawn: the page has their style itself, for all of them. */
import { chartOf } from '../../chart/chart.ts';
import { chartStyle } from '../../chart/chart-style.ts';
import { drawSvg } from '../../chart/svg.ts';
import type { Pictures } from './charts.ts';

export const pictures: Pictures = {
  style: chartStyle,
  draw: (machine) => drawSvg(chartOf(machine), { style: false }),
};
