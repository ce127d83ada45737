// What pages do beyond their links: leaf through the pictures of a game with a slider, a button and the arrow keys.
"use strict";

function leafThrough(box) {
  const steps = Array.from(document.querySelectorAll(".years a[data-picture]"));
  const image = document.querySelector("#board img");
  const full = document.querySelectorAll("#board a");
  const range = box.querySelector("input");
  const shown = box.querySelector("output");
  const button = box.querySelector("button");
  const begun = { src: image.getAttribute("src"), alt: image.alt, full: full[0].getAttribute("href") };
  const here = Number(box.dataset.here);
  let timer = 0;

  function show(number) {
    const step = steps[number - 1];
    const own = number === here;
    range.value = String(number);
    shown.value = step.textContent;
    range.setAttribute("aria-valuetext", step.textContent);
    image.src = own ? begun.src : step.dataset.picture;
    image.alt = own ? begun.alt : step.textContent;
    for (const link of full) {
      link.href = own ? begun.full : step.dataset.full;
    }
    const next = steps[number];
    if (next) {
      new Image().src = next.dataset.picture;
    }
  }

  function go(number) {
    if (number !== here) {
      window.location.href = steps[number - 1].getAttribute("href") + "#board";
    }
  }

  function stop() {
    window.clearInterval(timer);
    timer = 0;
    button.textContent = box.dataset.play;
  }

  function play() {
    let number = Number(range.value) < steps.length ? Number(range.value) : 0;
    button.textContent = box.dataset.stop;
    timer = window.setInterval(() => {
      number += 1;
      if (number > steps.length) {
        stop();
      } else {
        show(number);
      }
    }, 1200);
  }

  range.addEventListener("input", () => { stop(); show(Number(range.value)); });
  range.addEventListener("change", () => go(Number(range.value)));
  button.addEventListener("click", () => {
    if (timer) {
      stop();
      go(Number(range.value));
    } else {
      play();
    }
  });
  if (here) {
    shown.value = steps[here - 1].textContent;
    range.setAttribute("aria-valuetext", steps[here - 1].textContent);
  }
  box.hidden = false;
}

function turnWithArrows(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest("input, .scroll")) {
    return;
  }
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const link = rel && document.querySelector(`.leaf a[rel="${rel}"]`);
  if (link) {
    event.preventDefault();
    window.location.href = link.getAttribute("href") + (document.getElementById("board") ? "#board" : "");
  }
}

const slider = document.getElementById("slider");
if (slider) {
  leafThrough(slider);
}
document.addEventListener("keydown", turnWithArrows);
