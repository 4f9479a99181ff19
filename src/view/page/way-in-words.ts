/** What the arrow that a step went along is for, in the words of its chart. */
import { useEffect, useState } from 'preact/hooks';
import type { Decision } from '../live.ts';
import { arrowsIn, pictureOf } from './chart-pictures.ts';
import { takenArrow } from './taken-transition.ts';

/** Null: it took none, nothing is said of it, or the picture isn’t here yet. */
export function useWayInWords(step: Decision['steps'][number]): string | null {
  const [words, setWords] = useState<string | null>(null);
  useEffect(() => {
    let wanted = true;
    setWords(null);
    void pictureOf(step.policy).then((picture) => {
      if (!wanted || !('svg' in picture)) return;
      setWords(takenArrow(step, arrowsIn(picture.svg))?.description || null);
    });
    return () => {
      wanted = false;
    };
  }, [step]);
  return words;
}
