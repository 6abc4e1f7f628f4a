// Asks again and again for something that changes, while it is looked at.

/**
 * Ask now, and again after a pause, until the returned function is called.
 *
 * @template T
 * @param {() => Promise<T>} ask
 * @param {(found: T) => boolean} take shows an answer; returns false if nothing can change any more
 * @param {number} pause milliseconds
 * @returns {Promise<() => void>} fulfilled after the first answer
 */
export async function watch(ask, take, pause) {
  let isLeft = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let last = "";
  const next = async () => {
    try {
      if (document.visibilityState === "visible") {
        const found = await ask();
        const text = JSON.stringify(found);
        if (!isLeft && text !== last && !take(found)) return;
        last = text;
      }
    } catch {
      // The server may be there again after the next pause.
    }
    if (!isLeft) timer = setTimeout(next, pause);
  };
  const first = await ask();
  last = JSON.stringify(first);
  if (take(first)) timer = setTimeout(next, pause);
  return () => {
    isLeft = true;
    clearTimeout(timer);
  };
}
