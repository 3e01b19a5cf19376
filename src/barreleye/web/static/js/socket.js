/** The conversation with the server: questions with one answer each, and events that come by themselves. */

/** @typedef {{resolve: (answer: any) => void, reject: (error: Error) => void}} Waiting */

const TOO_MANY_TABS = 4429;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

/** What was asked came to nothing because something else was asked for. */
export class Stopped extends Error {}

export class Link extends EventTarget {
  constructor() {
    super();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.next = 1;
    this.wait = FIRST_WAIT_MS;
    /** @type {Map<number, Waiting>} */
    this.waiting = new Map();
  }

  /** Connect, and connect again whenever the connection is lost. */
  connect() {
    const socket = new WebSocket(`ws://${location.host}/talk`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.socket = socket;
      this.wait = FIRST_WAIT_MS;
      this.dispatchEvent(new Event("open"));
    };
    socket.onmessage = (event) => this.hear(event.data);
    socket.onclose = (event) => this.lost(event.code);
  }

  /** @param {number} code */
  lost(code) {
    this.socket = null;
    for (const { reject } of this.waiting.values()) reject(new Stopped("the connection was lost"));
    this.waiting.clear();
    this.dispatchEvent(new CustomEvent("lost", { detail: code === TOO_MANY_TABS ? "tabs" : "server" }));
    setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(LONGEST_WAIT_MS, 2 * this.wait);
  }

  /** @param {string | ArrayBuffer} data */
  hear(data) {
    let message;
    if (typeof data === "string") {
      message = JSON.parse(data);
    } else {
      const length = new DataView(data).getUint32(0, true);
      message = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
      message.ok.cells = data.slice(4 + length);
    }
    if (message.event) {
      this.dispatchEvent(new CustomEvent(message.event, { detail: message }));
      return;
    }
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) {
      if (waiting) waiting.reject(new Error(message.error));
    } else if (message.stopped) {
      waiting?.reject(new Stopped("stopped"));
    } else {
      waiting?.resolve(message.ok);
    }
  }

  /**
   * Ask for something. The promise is kept with the answer, or broken with a sentence for people.
   * @param {string} what
   * @param {Record<string, any>} [fields]
   * @returns {Promise<any>}
   */
  ask(what, fields = {}) {
    const socket = this.socket;
    if (!socket) return Promise.reject(new Stopped("there is no connection"));
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, do: what, ...fields }));
    });
  }
}
