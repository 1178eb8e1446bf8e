// SPDX-License-Identifier: MIT

// The actor benches in Go: a goroutine with a buffered channel per actor,
// default settings. Prints one number: a rate per second, or bytes per actor
// for idle.
package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"
)

// rate gives the events per second of work done since start.
func rate(events int, start time.Time) float64 {
	return float64(events) / time.Since(start).Seconds()
}

// pingpong: one ball between two actors, round trips per second.
func pingpong(n int) float64 {
	ping, pong := make(chan int, 16), make(chan int, 16)
	done := make(chan bool)
	start := time.Now()
	go func() {
		for v := range ping {
			pong <- v
		}
	}()
	go func() {
		for i := 0; i < n; i++ {
			ping <- i
			<-pong
		}
		done <- true
	}()
	<-done
	return rate(n, start)
}

// ring: one token through a ring of actors that exists before the clock
// starts, hops per second.
func ring(actors, hops int) float64 {
	done := make(chan bool)
	pass := func(in, out chan int) {
		for left := range in {
			if left == 0 {
				done <- true
				return
			}
			out <- left - 1
		}
	}
	first := make(chan int, 1)
	in := first
	for i := 1; i < actors; i++ {
		out := make(chan int, 1)
		go pass(in, out)
		in = out
	}
	go pass(in, first)
	start := time.Now()
	first <- hops
	<-done
	return rate(hops, start)
}

// collect takes n values and then says so.
func collect(n int, box chan int, done chan bool) {
	for i := 0; i < n; i++ {
		<-box
	}
	done <- true
}

// forkjoin: actors created, given one message, reporting to a joiner and
// gone, actors per second.
func forkjoin(n int) float64 {
	join, done := make(chan int, 1024), make(chan bool)
	start := time.Now()
	go collect(n, join, done)
	for i := 0; i < n; i++ {
		box := make(chan int, 1)
		go func() { join <- <-box }()
		box <- i
	}
	<-done
	return rate(n, start)
}

// contend: many senders into one mailbox, messages per second. The mailbox
// is bounded, as Go programs have it.
func contend(senders, each int) float64 {
	box, done := make(chan int, 1024), make(chan bool)
	start := time.Now()
	go collect(senders*each, box, done)
	for i := 0; i < senders; i++ {
		go func() {
			for j := 0; j < each; j++ {
				box <- j
			}
		}()
	}
	<-done
	return rate(senders*each, start)
}

type bigMessage struct {
	from int
	pong bool
}

// bigActor pings random peers, the next one after the pong, and answers the
// pings of the others until its own mailbox is closed.
func bigActor(self, each int, boxes []chan bigMessage, done *sync.WaitGroup) {
	random := uint64(self + 1)
	for m := range boxes[self] {
		if !m.pong {
			boxes[m.from] <- bigMessage{self, true}
			continue
		}
		if each == 0 {
			done.Done()
			continue
		}
		each--
		random = random * 48271 % 2147483647
		peer := int(random % uint64(len(boxes)-1))
		if peer >= self {
			peer++
		}
		boxes[peer] <- bigMessage{self, false}
	}
}

// big: all to all, pings per second. An actor has one ping under way, so a
// mailbox never holds more than a ping of each other actor and one pong: with
// a capacity of that many no send blocks, and nothing can deadlock.
func big(actors, each int) float64 {
	boxes := make([]chan bigMessage, actors)
	for i := range boxes {
		boxes[i] = make(chan bigMessage, actors)
	}
	var done sync.WaitGroup
	done.Add(actors)
	for i := range boxes {
		go bigActor(i, each, boxes, &done)
	}
	start := time.Now()
	for _, box := range boxes {
		box <- bigMessage{0, true}
	}
	done.Wait()
	result := rate(actors*each, start)
	for _, box := range boxes {
		close(box)
	}
	return result
}

// idle: resident bytes per actor that has run once and waits.
func idle(n int) float64 {
	boxes := make([]chan int, n)
	var ready sync.WaitGroup
	ready.Add(n)
	runtime.GC()
	before := resident()
	for i := range boxes {
		box := make(chan int, 1)
		boxes[i] = box
		go func() {
			ready.Done()
			<-box
		}()
	}
	ready.Wait()
	runtime.GC()
	grown := resident() - before
	runtime.KeepAlive(boxes)
	return float64(grown) / float64(n)
}

func resident() int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		fail(err)
	}
	_, rest, _ := bytes.Cut(status, []byte("VmRSS:"))
	fields := bytes.Fields(rest)
	kib, err := strconv.Atoi(string(fields[0]))
	if err != nil {
		fail(err)
	}
	return kib * 1024
}

func fail(reason interface{}) {
	fmt.Fprintln(os.Stderr, "actors.go:", reason)
	os.Exit(1)
}

func bench(name string, n []int) (float64, bool) {
	switch {
	case name == "pingpong" && len(n) == 1:
		return pingpong(n[0]), true
	case name == "ring" && len(n) == 2:
		return ring(n[0], n[1]), true
	case name == "forkjoin" && len(n) == 1:
		return forkjoin(n[0]), true
	case name == "contend" && len(n) == 2:
		return contend(n[0], n[1]), true
	case name == "big" && len(n) == 2:
		return big(n[0], n[1]), true
	case name == "idle" && len(n) == 1:
		return idle(n[0]), true
	}
	return 0, false
}

func main() {
	if len(os.Args) < 2 {
		fail("which bench?")
	}
	var numbers []int
	for _, arg := range os.Args[2:] {
		number, err := strconv.Atoi(arg)
		if err != nil {
			fail(err)
		}
		numbers = append(numbers, number)
	}
	result, known := bench(os.Args[1], numbers)
	if !known {
		fail("unknown bench or wrong number of arguments")
	}
	fmt.Printf("%.0f\n", result)
}
