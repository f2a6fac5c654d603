// A stage's memory as a stacked bar against the usable memory of its device.
import { scaleLinear } from 'd3-scale';
import { html, type TemplateResult } from 'lit';
import { type Memory, memoryParts } from '../base/answer.ts';

export interface MemoryScale {
  readonly share: (bytes: number) => string; // CSS length along the bar
  readonly ticks: readonly number[]; // bytes
}

// From nothing to a little more than the larger of the fullest stage and the usable memory.
export function memoryScale(peakBytes: number, usableBytes: number): MemoryScale {
  const top = Math.max(peakBytes, usableBytes, 1) * 1.06;
  const scale = scaleLinear()
    .domain([0, top / 1e9])
    .range([0, 100]);
  return {
    share: (bytes) => `${scale(bytes / 1e9).toFixed(3)}%`,
    ticks: scale.ticks(4).map((gigabytes) => gigabytes * 1e9),
  };
}

export function memoryBar(
  memory: Memory,
  usableBytes: number,
  scale: MemoryScale,
  label: string,
): TemplateResult {
  return html`<div class="bar memory-bar" role="img" aria-label=${label}>
    ${memoryParts.map(
      (part) => html`<i class="fill ${part}" style="width:${scale.share(memory[part])}"></i>`,
    )}
    <i class="limit" style="left:${scale.share(usableBytes)}"></i>
  </div>`;
}

// Gridlines' labels under the bars.
export function memoryAxis(
  usableBytes: number,
  scale: MemoryScale,
  text: (bytes: number) => string,
): TemplateResult {
  // A tick too near the limit's own label gives way to it.
  const clear = scale.ticks.filter((tick) => Math.abs(tick - usableBytes) > usableBytes * 0.08);
  return html`<div class="axis" aria-hidden="true">
    ${clear.map((tick) => html`<span style="left:${scale.share(tick)}">${text(tick)}</span>`)}
    <b style="left:${scale.share(usableBytes)}">${text(usableBytes)}</b>
  </div>`;
}
