/** Small pictures beside words; never instead of them. */
import type { ComponentChildren } from 'preact';

function Icon({ children }: { readonly children: ComponentChildren }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

const LINE = { fill: 'none', stroke: 'currentColor', 'stroke-width': '1.5', 'stroke-linecap': 'round' } as const;

export function SpokenIcon() {
  return (
    <Icon>
      <path {...LINE} stroke-linejoin="round" d="M2.5 3.5h11v7.5H8l-3 2.5V11H2.5z" />
      <path {...LINE} d="M5 6h6M5 8.5h4" />
    </Icon>
  );
}

export function QuietIcon() {
  return (
    <Icon>
      <path {...LINE} d="M13 10.2A5.7 5.7 0 0 1 5.8 3a5.7 5.7 0 1 0 7.2 7.2z" stroke-linejoin="round" />
    </Icon>
  );
}

export function BackIcon() {
  return (
    <Icon>
      <path {...LINE} d="M10 3.5 5.5 8l4.5 4.5" />
    </Icon>
  );
}

export function ForthIcon() {
  return (
    <Icon>
      <path {...LINE} d="M6 3.5 10.5 8 6 12.5" />
    </Icon>
  );
}

export function YesIcon() {
  return (
    <Icon>
      <path {...LINE} d="m3.5 8.5 3 3 6-7" />
    </Icon>
  );
}

export function NoIcon() {
  return (
    <Icon>
      <path {...LINE} d="m4.5 4.5 7 7m0-7-7 7" />
    </Icon>
  );
}

export function WarnIcon() {
  return (
    <Icon>
      <path {...LINE} stroke-linejoin="round" d="M8 2.5 14.5 13.5h-13zM8 6.5v3.2M8 11.7v.1" />
    </Icon>
  );
}

/** Two states and the way between them. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
      <rect class="mark-ground" width="32" height="32" rx="8" />
      <path class="mark-line" d="M13.5 16h5" />
      <circle class="mark-line" cx="9" cy="16" r="4.5" />
      <circle class="mark-full" cx="23" cy="16" r="4.5" />
    </svg>
  );
}
