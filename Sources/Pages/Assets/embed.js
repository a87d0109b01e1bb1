// The one-line script: puts a frame with an embed of this server where the script stands.
"use strict";
(() => {
  const script = document.currentScript;
  const path = script?.dataset.embed;
  if (!path || !path.startsWith("/embed/")) return;
  const frame = document.createElement("iframe");
  frame.src = new URL(path, script.src).href;
  frame.title = script.dataset.title ?? "Causeboard";
  frame.width = script.dataset.width ?? "320";
  frame.height = script.dataset.height ?? (path.includes("/charities/") ? "240" : "560");
  frame.loading = "lazy";
  frame.style.border = "0";
  script.after(frame);
})();
