// Browsers start no worker for a page that was opened as a file. The search of the site runs in a worker: if the page is a file, this
// class takes the place of Worker. It runs the script of the worker in a hidden frame.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(script) {
      super();
      this.waiting = []; // messages that arrive before the script has been loaded
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.inside.importScripts = (...others) => others.reduce((before, other) => before.then(() => this.load(other)), Promise.resolve());
      this.load(script).then(() => {
        const waiting = this.waiting;
        this.waiting = null;
        waiting.forEach((data) => this.postMessage(data));
      });
    }

    load(script) {
      return new Promise((loaded, failed) => {
        const element = this.inside.document.createElement("script");
        element.src = new URL(script, location);
        element.onload = loaded;
        element.onerror = failed;
        this.inside.document.body.append(element);
      });
    }

    postMessage(data) {
      if (this.waiting) {
        this.waiting.push(data);
      } else {
        this.inside.dispatchEvent(new MessageEvent("message", { data }));
      }
    }
  };
}
