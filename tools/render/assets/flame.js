
"use strict";
(function () {
  const characterWidth = 6.63, fullWidth = 1200;

  function fit(name, width) {
    const room = Math.floor((width - 6) / characterWidth);
    if (room < 3) return "";
    if (name.length <= room) return name;
    const short = name.split(".").slice(-2).join(".");
    return short.length <= room ? short : short.slice(0, room - 1) + "\u2026";
  }

  function prepare(svg) {
    const hover = svg.querySelector("text.hover");
    const note = ["Click a frame to zoom in, and again to zoom out.", hover.textContent].join(" ");
    hover.textContent = note;
    const frames = Array.from(svg.querySelectorAll(".frames > g"), function (group) {
      const rect = group.querySelector("rect");
      const tip = group.querySelector("title").textContent;
      return {
        group: group, rect: rect, text: group.querySelector("text"), tip: tip,
        name: tip.replace(/ \([^()]*\): .*$|: [^:]*$/, ""),
        x: +rect.getAttribute("x"), y: +rect.getAttribute("y"),
        width: +rect.getAttribute("width") + 0.6,
      };
    });
    let zoomed = frames[0];

    function place(frame, x, width, faded) {
      const shown = width > 0.1;
      frame.group.style.display = shown ? "" : "none";
      if (!shown) return;
      frame.group.classList.toggle("faded", faded);
      frame.rect.setAttribute("x", x);
      frame.rect.setAttribute("width", Math.max(0.2, width - 0.6));
      const label = fit(frame.name, width);
      if (!frame.text && label) {
        frame.text = document.createElementNS("http://www.w3.org/2000/svg", "text");
        frame.text.setAttribute("y", frame.y + 12.5);
        frame.group.appendChild(frame.text);
      }
      if (frame.text) {
        frame.text.textContent = label;
        frame.text.setAttribute("x", x + 3);
      }
    }

    function zoom(to) {
      zoomed = to;
      const scale = fullWidth / to.width;
      for (const frame of frames) {
        const middle = frame.x + frame.width / 2;
        const above = frame.y < to.y && frame.x <= to.x + 0.01 &&
            frame.x + frame.width >= to.x + to.width - 0.01;
        const inside = frame.y >= to.y && middle >= to.x && middle <= to.x + to.width;
        if (above) place(frame, 0, fullWidth, frame !== to && to !== frames[0]);
        else if (inside) place(frame, (frame.x - to.x) * scale, frame.width * scale, false);
        else place(frame, 0, 0, false);
      }
    }

    for (const frame of frames) {
      frame.group.setAttribute("tabindex", frame.width > 4 ? "0" : "-1");
      frame.group.addEventListener("mouseenter", function () { hover.textContent = frame.tip; });
      frame.group.addEventListener("focus", function () { hover.textContent = frame.tip; });
      frame.group.addEventListener("mouseleave", function () { hover.textContent = note; });
      frame.group.addEventListener("click", function () {
        zoom(zoomed === frame ? frames[0] : frame);
      });
      frame.group.addEventListener("keydown", function (event) {
        if (event.key === "Enter") zoom(zoomed === frame ? frames[0] : frame);
        if (event.key === "Escape") zoom(frames[0]);
      });
    }
  }

  const drawings = document.querySelectorAll("svg.flame");
  for (const svg of drawings) prepare(svg);
  if (typeof HTMLDetailsElement !== "undefined" && document.body) {
    addEventListener("beforeprint", function () {
      for (const part of document.querySelectorAll("details")) part.open = true;
    });
    const open = function () {
      const part = document.getElementById(location.hash.slice(1));
      if (part && part.tagName === "DETAILS") part.open = true;
    };
    addEventListener("hashchange", open);
    open();
  }
})();
